import type { z } from 'zod'
import { foreignCursor, listOf, requireSameList, type Page } from '../../../../http/routes/pagination.ts'
import type { ReadTx } from '../../../../platform/database/database.ts'
import { countInTime, countQuery, type Count } from '../../../../platform/fields/counting.ts'
import { compileFilter } from '../../../../platform/filter/compile.ts'
import { COMPARISONS, requiredTests, type Filter, type FilterTest } from '../../../../platform/filter/grammar.ts'
import { isUuid, type Id } from '../../../../platform/ids.ts'
import type { Principal } from '../../../../platform/principal.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { factsMayFind, findCandidates } from '../../reporting/finding/candidates.service.ts'
import { readPieces, type Order } from '../../reporting/finding/pieces.ts'
import { selectPassing } from '../../responses/matching.service.ts'
import * as store from './list.store.ts'
import { parseSearch } from './search.ts'
import { leadOf, leadOfFew } from './search.store.ts'
import { OF_TEXT, type Cursor } from '../verbatim-rows.ts'
import type { VerbatimQuery } from '../verbatim.schema.ts'
import { presentAll, type Presented } from './verbatim.service.ts'

/** Responses whose texts are read one by one. */
const MOST_FEW = 1_000
/** Pieces of the past that are read at once where order or words may need them all. */
const MOST_AT_ONCE = 400
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

const SORTS = {
  '-completed_at': 'newest',
  completed_at: 'oldest',
  sentiment: 'sentiment',
  '-sentiment': '-sentiment',
} as const

type Query = z.output<typeof VerbatimQuery>

export async function listVerbatim(
  scope: Scope,
  query: Query,
): Promise<Page<Presented> & { count?: { matching: Count; all: Count } }> {
  const page = await scope.read((tx) => readVerbatim(scope, tx, query, scope.principal), { snapshot: true })
  if (query.count !== 'true') return page
  return { ...page, count: { matching: await countTexts(scope, query), all: await countAll(scope) } }
}

/**
 * The same as of the moment of `tx`. A page of long texts may end before its limit.
 * @param asker whose filter it is, if nobody has kept it
 */
export async function readVerbatim(
  scope: Scope,
  tx: ReadTx,
  query: Query,
  asker?: Principal,
): Promise<Page<Presented>> {
  const context = { tx, alias: OF_TEXT, now: scope.clock.now(), ...(asker && { asker }) }
  const keys = await findTexts(scope, tx, query, {
    sort: SORTS[query.sort],
    after: cursorOf(query),
    limit: query.limit,
    condition: await compileFilter('responses', query.filter ?? { all: [] }, context),
  })
  const shown = await store.readTexts(tx, keys.slice(0, query.limit))
  const last = shown.at(-1)
  return {
    data: await presentAll(tx, shown),
    next_cursor: keys.length > shown.length && last ? cursorText(last, listOf(query)) : null,
  }
}

/** The newest texts of responses that pass a filter. */
export async function listNewest(scope: Scope, tx: ReadTx, filter: Filter, limit: number): Promise<Presented[]> {
  return (await readVerbatim(scope, tx, { limit, sort: '-completed_at', filter })).data
}

/** All texts of the workspace. */
export function countAll(scope: Scope): Promise<Count> {
  return countQuery(scope, async (tx) =>
    store.selectKeys(tx, await compileFilter('responses', { all: [] }, { tx, alias: OF_TEXT, now: scope.clock.now() })),
  )
}

/** The texts under a filter and a search, by their keys alone. */
async function countTexts(scope: Scope, query: Pick<Query, 'filter' | 'search'>): Promise<Count> {
  return countInTime(scope, async (tx, most) => {
    const context = { tx, alias: OF_TEXT, now: scope.clock.now(), asker: scope.principal }
    const rows = await findTexts(scope, tx, query, {
      sort: 'newest',
      after: null,
      limit: most,
      condition: await compileFilter('responses', query.filter ?? { all: [] }, context),
    })
    return rows.length
  })
}

/**
 * Reads few responses first, if an index or facts know that only few can pass. Else it walks along words or all texts.
 */
async function findTexts(
  scope: Scope,
  tx: ReadTx,
  query: Pick<Query, 'filter' | 'search'>,
  options: Omit<store.ListOptions, 'leads'>,
): Promise<store.TextKey[]> {
  const { after, limit } = options
  const order = ORDERS[options.sort]
  const required = requiredTests(query.filter)
  const search = query.search ?? searchIn(required)
  const groups = search === undefined ? [[]] : parseSearch(search)
  const among = (responses: store.Ids) =>
    store.listKeys(tx, { ...options, leads: groups.map((terms) => leadOfFew(tx, terms, responses)) })

  const indexed = required.filter(({ field, op }) => INDEXED.has(field) && COMPARISONS.has(op))
  const few = indexed.length > 0 && (await findFew(scope, tx, indexed))
  if (few) return among(few)
  const found = required.filter(factsMayFind)
  const beyond = after && order ? { id: after.response_id, order } : null
  const pieces = found.length > 0 ? await findCandidates(scope, tx, required, beyond) : null
  if (pieces && (pieces.length <= MOST_AT_ONCE || (order && search === undefined)))
    return readPieces<store.TextKey>(
      pieces,
      { order, limit, idOf: (row) => row.response_id, keyOf: (row) => `${row.response_id}/${row.question_id}` },
      async (some) => among(await selectPassing(scope, tx, some, { all: found })),
    )
  const leads = await Promise.all(groups.map((terms) => leadOf(tx, terms, { order, after })))
  return store.listKeys(tx, { ...options, leads })
}

const ORDERS: Record<store.ListOptions['sort'], Order> = {
  newest: 'desc',
  oldest: 'asc',
  sentiment: null,
  '-sentiment': null,
}

/** The search that every text of a filter passes, so that the list begins with its words. */
function searchIn(tests: FilterTest[]): string | undefined {
  const test = tests.find(({ field, op }) => field === 'text' && op === 'search')
  return test && String(test.value)
}

/** The responses that an index finds, if they are few. */
async function findFew(scope: Scope, tx: ReadTx, tests: FilterTest[]): Promise<store.Ids | null> {
  const condition = await compileFilter('responses', { all: tests }, { tx, alias: OF_TEXT, now: scope.clock.now() })
  return store.findFew(tx, condition, MOST_FEW)
}

function cursorText({ response_id, question_id, sentiment_score }: store.TextKey, list: string): string {
  return Buffer.from(JSON.stringify([response_id, question_id, sentiment_score, list])).toString('base64url')
}

function cursorOf(query: Query): Cursor | null {
  if (query.cursor === undefined) return null
  const parts = readJson(Buffer.from(query.cursor, 'base64url').toString('utf8'))
  const [response, question, sentiment, list]: unknown[] = Array.isArray(parts) ? parts : []
  if (
    typeof response !== 'string' ||
    !isUuid(response) ||
    typeof question !== 'string' ||
    typeof sentiment !== 'number'
  )
    throw foreignCursor()
  requireSameList(list, query)
  return { response_id: response as Id<'response'>, question_id: question, sentiment }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
