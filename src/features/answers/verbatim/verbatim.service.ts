import type { z } from 'zod'
import type { Page } from '../../../http/pagination.ts'
import { badRequest, notFound, unprocessable } from '../../../http/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import type { ReadTx, TenantTx } from '../../../platform/database.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import type { Filter, FilterTest } from '../../../platform/filter/grammar.ts'
import { formatId, isUuid, parseId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { SCORE_OF_LABEL } from './labels.ts'
import * as lists from './list.store.ts'
import { parseSearch } from './search.ts'
import { listAllTopics } from './topics.store.ts'
import { leadOf, leadOfFew } from './search.store.ts'
import { OF_TEXT, type Cursor, type VerbatimKey, type VerbatimRow } from './verbatim-rows.ts'
import type { UpdateVerbatim, Verbatim, VerbatimQuery } from './verbatim.schema.ts'
import * as store from './verbatim.store.ts'
import { reindexText } from './reindex.service.ts'
import { readClassifiable } from './texts.service.ts'

const audited = auditOf('response')

type Presented = z.input<typeof Verbatim>

/** Responses whose texts are read one by one. */
const MOST_FEW = 1_000
const INDEXED = new Set([
  'channel',
  'language',
  'metric',
  'score',
  'band',
  'duration_ms',
  'tag',
  'quality_flag',
  'agent_id',
  'person_id',
])
const FINDING = new Set(['eq', 'one_of', 'gt', 'gte', 'lt', 'lte', 'between'])

const SORTS = {
  '-completed_at': 'newest',
  completed_at: 'oldest',
  sentiment: 'sentiment',
  '-sentiment': '-sentiment',
} as const

export async function listVerbatim(scope: Scope, query: z.output<typeof VerbatimQuery>): Promise<Page<Presented>> {
  return scope.read((tx) => readVerbatim(scope, tx, query))
}

/** The same as of the moment of `tx`. */
export async function readVerbatim(
  scope: Scope,
  tx: ReadTx,
  query: z.output<typeof VerbatimQuery>,
): Promise<Page<Presented>> {
  const after = cursorOf(query.cursor)
  const sort = SORTS[query.sort]
  const order = sort === 'newest' ? 'desc' : sort === 'oldest' ? 'asc' : null
  const search = query.search ?? searchIn(query.filter)
  const groups = search === undefined ? [[]] : parseSearch(search)
  const context = { tx, alias: OF_TEXT, now: scope.clock.now() }
  const narrow = narrowing(query.filter)
  const few = narrow && (await lists.findFew(tx, await compileFilter('responses', narrow, context), MOST_FEW))
  const rows = await lists.listTexts(tx, {
    sort,
    after,
    leads: await Promise.all(
      groups.map((terms) => (few ? leadOfFew(tx, terms, few) : leadOf(tx, terms, { order, after }))),
    ),
    limit: query.limit,
    condition: await compileFilter('responses', query.filter ?? { all: [] }, context),
  })
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  return {
    data: await presentAll(tx, shown),
    next_cursor: rows.length > query.limit && last ? cursorText(last) : null,
  }
}

/** What every text of a filter holds, so that the list is led by its words. */
function searchIn(filter: Filter | undefined): string | undefined {
  const nodes = filter && 'all' in filter ? filter.all : []
  const test = nodes.find((node) => 'field' in node && node.field === 'text' && node.op === 'search') as
    | FilterTest
    | undefined
  return test && String(test.value)
}

/** The tests that an index of responses finds rare values by. Null if all of them read responses one by one. */
function narrowing(filter: Filter | undefined): Filter | null {
  const nodes = filter && 'all' in filter ? filter.all : []
  const tests = nodes.filter((node) => 'field' in node && INDEXED.has(node.field) && FINDING.has(node.op))
  return tests.length > 0 ? { all: tests } : null
}

/**
 * Corrects what is known of a text. It stays, whatever is classified later.
 * @throws Problem 404, 422 for an unknown topic.
 */
export async function updateVerbatim(
  scope: Scope,
  key: VerbatimKey,
  body: z.output<typeof UpdateVerbatim>,
): Promise<Presented> {
  return scope.tx(async (tx) => {
    const before = await store.lockText(tx, key)
    if (!before) throw notFound('response')
    const row: VerbatimRow = {
      ...before,
      ...(body.language !== undefined && { language: body.language, language_source: 'person' as const }),
      ...(body.sentiment !== undefined && {
        sentiment: body.sentiment,
        sentiment_score: SCORE_OF_LABEL[body.sentiment],
        sentiment_source: 'person' as const,
      }),
      topics_by_person: before.topics_by_person || body.topics !== undefined,
    }
    // Nothing is left for the language model to say.
    if (row.sentiment_source === 'person' && row.topics_by_person) row.model_at = null
    const topics = body.topics && (await readTopicIds(tx, body.topics))
    const changes = [
      ...(body.language === undefined ? [] : [{ path: 'language', from: before.language, to: row.language }]),
      ...(body.sentiment === undefined ? [] : [{ path: 'sentiment', from: before.sentiment, to: row.sentiment }]),
      ...(topics === undefined ? [] : [{ path: 'topics', to: topics.map((id) => formatId('topic', id)) }]),
    ]
    await store.upsertTexts(tx, [row], scope.clock.now())
    if (topics) {
      await store.deleteTopicsOf(tx, key)
      const chosen = topics.map((topic_id) => ({ ...key, topic_id, confidence: 1, source: 'person' as const }))
      if (chosen.length > 0) await store.insertTopics(tx, chosen)
    }
    const [response] = await readClassifiable(scope, tx, [key.response_id])
    const text = response?.texts.find(({ questionId }) => questionId === key.question_id)
    if (!response || !text) throw notFound('response')
    if (body.language !== undefined && body.language !== before.language)
      await reindexText(tx, key, text.text, body.language)
    if (changes.length > 0) audited(scope, tx, 'correct_text', key.response_id, { changes })
    const { band, score, agent_id, tags, text: texts } = response.row
    const [presented] = await presentAll(tx, [{ ...row, band, score, agent_id, tags, texts }])
    if (!presented) throw notFound('response')
    return presented
  })
}

async function readTopicIds(tx: TenantTx, texts: string[]): Promise<Id<'topic'>[]> {
  const known = new Set((await listAllTopics(tx)).map(({ id }) => id))
  const ids = texts.map((text) => parseId('topic', text))
  const issues = ids.flatMap((id, at) =>
    id !== null && known.has(id)
      ? []
      : [{ path: `topics.${at}`, message: 'There is no such topic in this workspace.' }],
  )
  if (issues.length > 0) throw unprocessable('unknown_topic', issues)
  return [...new Set(ids.filter((id) => id !== null))]
}

/** Texts as the API shows them. @internal */
export async function presentAll(tx: ReadTx, rows: lists.ListedText[]): Promise<Presented[]> {
  const names = new Map((await listAllTopics(tx)).map(({ id, name }) => [id, name]))
  const topics = Map.groupBy(
    rows.length === 0 ? [] : await store.listTopicsOf(tx, [...new Set(rows.map((row) => row.response_id))]),
    (topic) => `${topic.response_id}/${topic.question_id}`,
  )
  return rows.map((row) => ({
    response_id: formatId('response', row.response_id),
    survey_id: formatId('survey', row.survey_id),
    question_id: row.question_id,
    text: String(row.texts.find((text) => text.question_id === row.question_id)?.value ?? ''),
    language: row.language,
    sentiment: { label: row.sentiment, score: rounded(row.sentiment_score), source: row.sentiment_source },
    topics: (topics.get(`${row.response_id}/${row.question_id}`) ?? []).flatMap(({ topic_id, confidence, source }) => {
      const name = names.get(topic_id)
      // A deleted topic stays on texts until they are classified again.
      return name === undefined
        ? []
        : [{ topic_id: formatId('topic', topic_id), name, confidence: rounded(confidence), source }]
    }),
    band: row.band,
    score: row.score,
    agent_id: row.agent_id && formatId('agent', row.agent_id),
    completed_at: row.completed_at.toISOString(),
    tags: row.tags,
  }))
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

function cursorText({ response_id, question_id, sentiment_score }: lists.ListedText): string {
  return Buffer.from(JSON.stringify([response_id, question_id, sentiment_score])).toString('base64url')
}

function cursorOf(text: string | undefined): Cursor | null {
  if (text === undefined) return null
  const parts = readJson(Buffer.from(text, 'base64url').toString('utf8'))
  const [response, question, sentiment]: unknown[] = Array.isArray(parts) ? parts : []
  if (
    typeof response !== 'string' ||
    !isUuid(response) ||
    typeof question !== 'string' ||
    typeof sentiment !== 'number'
  )
    throw badRequest([{ path: 'cursor', message: 'Use the `next_cursor` of the page before, unchanged.' }])
  return { response_id: response as Id<'response'>, question_id: question, sentiment }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
