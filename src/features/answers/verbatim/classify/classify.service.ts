import { isDeepStrictEqual } from 'node:util'
import type { TenantTx } from '../../../../platform/database/database.ts'
import { cacheOf, type CacheKind } from '../../../../platform/config/caches.ts'
import { listDueTenants, untilNoneIsDue } from '../../../../platform/work/due-tenants.ts'
import type { Id, TenantId } from '../../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../../platform/scope.ts'
import { CLASSIFIED, type ClassifiedText } from '../../../../platform/work/listeners.ts'
import type { SweepOptions } from '../../../../platform/work/sweeps.ts'
import { readsWithAi } from '../../../access/workspaces/org.service.ts'
import { shareResponses, type ResponseRow } from '../../responses/responses.service.ts'
import { classifyTexts, inGroups } from '../rules-engine/classify-thread.ts'
import type { Classified } from '../rules-engine/classifier.ts'
import { readTyped, type TypedTexts } from './texts.service.ts'
import { readTopics } from '../topics/topics.service.ts'
import * as runs from '../topics/topics.store.ts'
import * as store from '../verbatim.store.ts'
import type { VerbatimRow } from '../verbatim.entity.ts'
import { recordChanged } from '../../../../platform/changes/changes.ts'

/** Responses of a turn: few at first, more while their texts are short. */
const [SMALLEST, LARGEST] = [10, 100]
const LEASE_MS = 60_000

/**
 * Puts new texts into the index of words, and classifies those of completed responses. Returns the number of responses.
 */
export function classifyWaiting(system: SystemScope, options: SweepOptions): Promise<number> {
  // The texts that wait at the start. Later ones wait for the next sweep, and are then classified together.
  const due = store.dueWaiting(system.clock.now())
  const list = (after: TenantId | null) => listDueTenants(system, due, after)
  return inTurns(system, options, NEW_SIZES, list, classifyBatch)
}

/** Classifies every text again where a topic has changed. Returns the number of responses. */
export function classifyAgain(system: SystemScope, options: SweepOptions): Promise<number> {
  const list = (after: TenantId | null) => listDueTenants(system, runs.dueRuns(system.clock.now()), after)
  return inTurns(system, options, AGAIN_SIZES, list, stepRun)
}

interface Turn {
  done: number
  groups: number
}

type Sizes = CacheKind<TenantId, number>
/** The next turn of each workspace. */
const NEW_SIZES: Sizes = cacheOf({ max: 10_000 })
const AGAIN_SIZES: Sizes = cacheOf({ max: 10_000 })

// A hundred long texts would keep the other workspaces waiting for half a minute. Lengths are known only after reading,
// so the size of a turn follows from the last one.
function inTurns(
  system: SystemScope,
  options: SweepOptions,
  kind: Sizes,
  list: (after: TenantId | null) => Promise<TenantId[]>,
  work: (scope: Scope, most: number) => Promise<Turn>,
): Promise<number> {
  const sizes = system.caches.of(kind)
  return untilNoneIsDue(options, list, async (tenantId) => {
    const most = sizes.get(tenantId) ?? SMALLEST
    const { done, groups } = await work(system.tenant(tenantId, { type: 'system' }), most)
    sizes.set(tenantId, groups > 1 ? Math.ceil(done / groups) : Math.min(most * 2, LARGEST))
    return done
  })
}

async function classifyBatch(scope: Scope, most: number): Promise<Turn> {
  const now = scope.clock.now()
  const claimed = await scope.tx((tx) => store.claimWaiting(tx, now, new Date(now.getTime() + LEASE_MS), most))
  const waiting = Map.groupBy(claimed, (row) => row.response_id)
  const groups = await readGroups(scope, [...waiting.keys()])
  for (const { ids, responses } of groups) {
    const results = await classify(scope, responses)
    const modelAt = (await readsWithAi(scope)) ? now : null
    await scope.tx(async (tx) => {
      const mine = await store.deleteWaiting(
        tx,
        ids.flatMap((id) => waiting.get(id) ?? []).map(({ id }) => id),
      )
      const still = new Set(mine.map((row) => row.response_id))
      await record(
        scope,
        tx,
        results.filter(({ row }) => still.has(row.id)),
        { isAgain: false, modelAt },
      )
    })
  }
  return { done: claimed.length, groups: groups.length }
}

async function stepRun(scope: Scope, most: number): Promise<Turn> {
  const until = () => new Date(scope.clock.now().getTime() + LEASE_MS)
  const now = scope.clock.now()
  const run = await scope.tx((tx) => runs.claimRun(tx, now, until()))
  if (!run) return { done: 0, groups: 0 }
  const ids = await scope.read((tx) => store.listResponseIds(tx, run.cursor, most))
  const end = ids.length < most ? null : now
  const groups = await readGroups(scope, ids)
  // Without a group, the run only ends.
  for (const [at, group] of (groups.length > 0 ? groups : [{ ids, responses: [] }]).entries()) {
    const results = await classify(scope, group.responses)
    const modelAt = (await readsWithAi(scope)) ? now : null
    const isStale = await scope.tx(async (tx) => {
      const step = {
        revision: run.revision,
        cursor: group.ids.at(-1) ?? run.cursor,
        done: group.ids.length,
        nextAt: at < groups.length - 1 ? until() : end,
      }
      // A topic has changed since the claim: another step begins anew.
      if ((await runs.recordStep(tx, step)) === 0) return true
      await record(scope, tx, results, { isAgain: true, modelAt })
      return false
    })
    if (isStale) break
  }
  return { done: ids.length, groups: groups.length }
}

interface Group {
  ids: Id<'response'>[]
  responses: TypedTexts[]
}

/** Responses with their texts, so many together as one transaction stores. Some have no text any more. */
async function readGroups(scope: Scope, ids: Id<'response'>[]): Promise<Group[]> {
  if (ids.length === 0) return []
  const found = await scope.read((tx) => readTyped(scope, tx, ids))
  const responses = new Map(found.map((response) => [response.row.id, response]))
  const sizeOf = (id: Id<'response'>) => responses.get(id)?.texts.reduce((sum, { text }) => sum + text.length, 0) ?? 0
  return inGroups(ids, sizeOf).map((group) => ({
    ids: group,
    responses: group.flatMap((id) => responses.get(id) ?? []),
  }))
}

interface Result extends TypedTexts {
  classified: Classified[]
}

async function classify(scope: Scope, responses: TypedTexts[]): Promise<Result[]> {
  if (responses.length === 0) return []
  const topics = (await readTopics(scope)).filter(({ enabled }) => enabled)
  const ids = responses.map(({ row }) => row.id)
  const known = keyed(await scope.read((tx) => store.listOfResponses(tx, ids)))
  const given = responses.flatMap(({ row, languages, texts }) =>
    texts.map(({ questionId, text }) => {
      const before = known.get(`${row.id}/${questionId}`)
      const language = before?.language_source === 'person' ? before.language : null
      return { text, surveyId: row.survey_id, expected: row.language, languages, language }
    }),
  )
  const classified = await classifyTexts(
    scope.tenantId,
    topics.map((topic) => ({ id: topic.id, keywords: topic.keywords, surveyIds: topic.survey_ids })),
    given,
  )
  let at = 0
  return responses.map((response) => ({ ...response, classified: classified.slice(at, (at += response.texts.length)) }))
}

interface Reading {
  /** Whether the texts are old, and a topic has changed. */
  isAgain: boolean
  /** When the language model is to read them. Null: never. */
  modelAt: Date | null
}

/** Stores results whose texts are still what was read. A changed response waits for its own classification. */
async function record(scope: Scope, tx: TenantTx, results: Result[], reading: Reading): Promise<void> {
  if (results.length === 0) return
  const ids = results.map(({ row }) => row.id)
  const now = new Map((await shareResponses(tx, ids)).map((row) => [row.id, row]))
  const sound = results.filter(({ row }) => {
    const current = now.get(row.id)
    return current && !current.erased_at && isDeepStrictEqual(current.text, row.text)
  })
  const isCompleted = (row?: ResponseRow) => row?.state === 'completed'
  const completed = new Set(
    sound.flatMap(({ row }) => (isCompleted(row) && isCompleted(now.get(row.id)) ? row.id : [])),
  )
  const before = await store.lockOfResponses(tx, ids)
  const known = keyed(before)
  const chosen = Map.groupBy(await store.listTopicsOf(tx, ids), (topic) => `${topic.response_id}/${topic.question_id}`)
  const rows: VerbatimRow[] = []
  const topics: store.TextTopic[] = []
  const words: store.TextWord[] = []
  for (const { row, texts, classified } of sound)
    for (const [at, { questionId, isClassified }] of texts.entries()) {
      const result = classified[at]
      if (!result) continue
      const key = { response_id: row.id, question_id: questionId }
      const old = known.get(`${row.id}/${questionId}`)
      words.push(...result.words.map((word) => ({ ...key, word })))
      const { survey_id, completed_at } = row
      if (!isClassified || !completed_at || !completed.has(row.id)) continue
      rows.push(merged({ ...key, survey_id, completed_at }, result, old, reading))
      topics.push(
        ...(old?.topics_by_person
          ? (chosen.get(`${row.id}/${questionId}`) ?? [])
          : result.topics.map(({ id, confidence }) => ({
              ...key,
              topic_id: id as Id<'topic'>,
              confidence,
              source: 'rules' as const,
            }))),
      )
    }
  const written = new Set(rows.map((row) => `${row.response_id}/${row.question_id}`))
  const gone = before.filter(
    (row) => completed.has(row.response_id) && !written.has(`${row.response_id}/${row.question_id}`),
  )
  await store.deleteWords(
    tx,
    sound.map(({ row }) => row.id),
  )
  await store.deleteTopics(tx, [...completed])
  if (gone.length > 0) await store.deleteTexts(tx, gone)
  if (rows.length > 0) await store.upsertTexts(tx, rows, scope.clock.now())
  if (words.length > 0) await store.insertWords(tx, words)
  if (topics.length > 0) await store.insertTopics(tx, topics)
  for (const { row } of sound)
    if (completed.has(row.id) && !row.anonymity)
      recordChanged(scope, tx, 'verbatim', reading.isAgain ? 'updated' : 'created', 'response', [row.id], row.survey_id)
  // Old texts are no news.
  if (completed.size === 0 || reading.isAgain) return
  const told = rows.map((row) => tellable(row, topics))
  await scope.signals.emit(CLASSIFIED, scope, tx, { texts: told, responses: [...completed] })
}

function merged(
  text: Pick<VerbatimRow, 'response_id' | 'question_id' | 'survey_id' | 'completed_at'>,
  result: Classified,
  old: VerbatimRow | undefined,
  { isAgain, modelAt }: Reading,
): VerbatimRow {
  const byPerson = old?.sentiment_source === 'person'
  const topicsByPerson = old?.topics_by_person ?? false
  // The model's word on a text that is read again stays until it says another.
  const stays = byPerson || (isAgain && old?.sentiment_source === 'model')
  return {
    ...text,
    language: result.language,
    language_source: old?.language_source === 'person' ? 'person' : 'rules',
    sentiment: stays ? old.sentiment : result.sentiment.label,
    sentiment_score: stays ? old.sentiment_score : result.sentiment.score,
    sentiment_source: stays ? old.sentiment_source : 'rules',
    topics_by_person: topicsByPerson,
    model_at: byPerson && topicsByPerson ? null : modelAt,
    model_tells: !isAgain || (old?.model_at != null && old.model_tells),
  }
}

/** A text as listeners get it. */
export function tellable(row: VerbatimRow, topics: store.TextTopic[]): ClassifiedText {
  return {
    responseId: row.response_id,
    questionId: row.question_id,
    surveyId: row.survey_id,
    language: row.language,
    sentiment: { label: row.sentiment, score: row.sentiment_score },
    topicIds: topics
      .filter((topic) => topic.response_id === row.response_id && topic.question_id === row.question_id)
      .map((topic) => topic.topic_id),
  }
}

function keyed(rows: VerbatimRow[]): Map<string, VerbatimRow> {
  return new Map(rows.map((row) => [`${row.response_id}/${row.question_id}`, row]))
}
