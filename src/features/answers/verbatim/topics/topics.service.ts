import type { z } from 'zod'
import { pageRequest, presentPage, type Page, type PageQuery } from '../../../../http/routes/pagination.ts'
import { conflict, notFound, unprocessable } from '../../../../http/problems/problem.ts'
import { auditOf } from '../../../../platform/audit.ts'
import type { ReadTx, TenantTx } from '../../../../platform/database/database.ts'
import { formatId, newIdAt, parseId, type Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { SWEEPS } from '../../../../platform/work/sweeps.ts'
import { surveyNames } from '../../../surveys/surveys/published-surveys.service.ts'
import { classifyTexts } from '../rules-engine/classify-thread.ts'
import { STARTER_TOPICS } from './starter-topics.ts'
import { MOST_TOPICS, type CreateTopic, Topic, type UpdateTopic } from './topics.schema.ts'
import * as store from './topics.store.ts'
import { countResponses } from '../verbatim.store.ts'

const audited = auditOf('topic', { schema: Topic })

type Presented = z.input<typeof Topic>

export async function listTopics(scope: Scope, query: z.output<typeof PageQuery>): Promise<Page<Presented>> {
  await ensureTopics(scope)
  const { rows, page, run } = await scope.read(async (tx) => ({
    ...(await store.listTopics(tx, pageRequest(query))),
    run: await store.findRun(tx),
  }))
  return presentPage(rows, page, (row) => present(row, run))
}

/** @throws Problem 404. */
export async function getTopic(scope: Scope, id: Id<'topic'>): Promise<Presented> {
  return scope.read(async (tx) => {
    const row = await store.findTopic(tx, id)
    if (!row) throw notFound('topic')
    return present(row, await store.findRun(tx))
  })
}

/** @throws Problem 409 `too_many_topics`, 422 for an unknown survey. */
export async function createTopic(scope: Scope, body: z.output<typeof CreateTopic>): Promise<Presented> {
  return scope.tx(async (tx) => {
    await makeTopics(scope, tx)
    const all = await store.listAllTopics(tx)
    if (all.length >= MOST_TOPICS)
      throw conflict('too_many_topics', `A workspace can have at most ${MOST_TOPICS} topics. Delete one first.`)
    const now = scope.clock.now()
    const row = {
      id: newIdAt('topic', now),
      name: body.name,
      keywords: body.keywords,
      survey_ids: await readSurveys(tx, body.survey_ids),
      enabled: body.enabled,
      created_at: now,
      updated_at: now,
    }
    await store.insertTopic(tx, row)
    const run = await startRun(scope, tx)
    audited(scope, tx, 'create', row.id, { after: present(row, run) })
    return present(row, run)
  })
}

/** @throws Problem 404, 422 for an unknown survey. */
export async function updateTopic(
  scope: Scope,
  id: Id<'topic'>,
  body: z.output<typeof UpdateTopic>,
): Promise<Presented> {
  return scope.tx(async (tx) => {
    const before = await store.lockTopic(tx, id)
    if (!before) throw notFound('topic')
    const row = {
      ...before,
      name: body.name ?? before.name,
      keywords: body.keywords ?? before.keywords,
      survey_ids: body.survey_ids ? await readSurveys(tx, body.survey_ids) : before.survey_ids,
      enabled: body.enabled ?? before.enabled,
      updated_at: scope.clock.now(),
    }
    await store.updateTopic(tx, row)
    const onlyNamed = body.keywords === undefined && body.survey_ids === undefined && body.enabled === undefined
    const run = onlyNamed ? await store.findRun(tx) : await startRun(scope, tx)
    audited(scope, tx, 'update', id, { before: present(before, run), after: present(row, run) })
    return present(row, run)
  })
}

/** @throws Problem 404. */
export async function deleteTopic(scope: Scope, id: Id<'topic'>): Promise<void> {
  await scope.tx(async (tx) => {
    if ((await store.deleteTopic(tx, id)) === 0) throw notFound('topic')
    await startRun(scope, tx)
    audited(scope, tx, 'delete', id)
  })
}

/** Every topic of the workspace, with the starter topics of a new one. */
export async function readTopics(scope: Scope): Promise<store.TopicRow[]> {
  await ensureTopics(scope)
  return scope.read(store.listAllTopics)
}

/** The public ids of the topics that a text is about, by their keywords. */
export async function findTopicsIn(scope: Scope, text: string): Promise<string[]> {
  const topics = (await readTopics(scope)).filter(({ enabled }) => enabled)
  // Topics of some surveys too: a question is about all.
  const words = topics.map(({ id, keywords }) => ({ id, keywords, surveyIds: [] }))
  const languages = [...new Set(topics.flatMap(({ keywords }) => Object.keys(keywords)))]
  const [found] = await classifyTexts(scope.tenantId, words, [
    { text, surveyId: '', expected: 'en', languages, language: null },
  ])
  return (found?.topics ?? []).map(({ id }) => formatId('topic', id as Id<'topic'>))
}

/** Names of topics by id. */
export async function readTopicNames(tx: ReadTx): Promise<Map<string, string>> {
  return new Map((await store.listAllTopics(tx)).map(({ id, name }) => [id, name]))
}

async function ensureTopics(scope: Scope): Promise<void> {
  if (await scope.read(store.findRun)) return
  await scope.tx((tx) => makeTopics(scope, tx))
}

// The row of the run is made once, so starter topics that were deleted stay away.
async function makeTopics(scope: Scope, tx: TenantTx): Promise<void> {
  if ((await store.insertRun(tx)) === 0) return
  const now = scope.clock.now()
  for (const { name, keywords } of STARTER_TOPICS)
    await store.insertTopic(tx, {
      id: newIdAt('topic', now),
      name,
      keywords,
      survey_ids: [],
      enabled: true,
      created_at: now,
      updated_at: now,
    })
}

async function startRun(scope: Scope, tx: TenantTx): Promise<store.RunRow | undefined> {
  await store.startRun(tx, await countResponses(tx), scope.clock.now())
  scope.wakeAfter(tx, SWEEPS, { group: '', ids: [] })
  return store.findRun(tx)
}

/** @throws Problem 422 `unknown_survey` */
export async function readSurveys(tx: ReadTx, texts: string[]): Promise<Id<'survey'>[]> {
  const ids = texts.map((text) => parseId('survey', text))
  const known = await surveyNames(
    tx,
    ids.filter((id) => id !== null),
  )
  const issues = ids.flatMap((id, at) =>
    id !== null && known.has(id)
      ? []
      : [{ path: `survey_ids.${at}`, message: 'There is no such survey in this workspace.' }],
  )
  if (issues.length > 0) throw unprocessable('unknown_survey', issues)
  return [...new Set(ids.filter((id) => id !== null))]
}

function present(row: store.TopicRow, run: store.RunRow | undefined): Presented {
  return {
    id: formatId('topic', row.id),
    name: row.name,
    keywords: row.keywords,
    survey_ids: row.survey_ids.map((id) => formatId('survey', id)),
    enabled: row.enabled,
    classification: {
      state: run?.next_at ? 'running' : 'done',
      done: run?.done ?? 0,
      total: Math.max(run?.total ?? 0, run?.done ?? 0),
    },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

export async function topicNames(tx: ReadTx, ids: Id<'topic'>[]): Promise<Map<string, string>> {
  return new Map((await store.listNames(tx, ids)).map(({ id, name }) => [id, name]))
}
