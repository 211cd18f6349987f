import type { z } from 'zod'
import { presentPage, type PageRequest } from '../../../http/routes/pagination.ts'
import { countIfAsked } from '../../../platform/fields/counting.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import {
  POSITIVE,
  requiredTests,
  testsOf,
  type FilterNode,
  type FilterTest,
  type Scalar,
} from '../../../platform/filter/grammar.ts'
import { spanOf } from '../../../platform/filter/moments.ts'
import { parseId } from '../../../platform/ids.ts'
import type { ReadTx } from '../../../platform/database/database.ts'
import type { Scope } from '../../../platform/scope.ts'
import { factsMayFind, findCandidates, findWithin } from '../reporting/finding/candidates.service.ts'
import { joinPieces, readPieces, type Piece } from '../reporting/finding/pieces.ts'
import { presentResponse } from './response-events.service.ts'
import type { ResponseList, ResponseQuery } from './responses.schema.ts'
import * as store from './responses.store.ts'

/** Responses that a list reads before it asks facts where to look, which takes as long as these. */
const FIRST_LOOK = 1_000
/** Responses with a tag or a flag, or of a time, that are read sooner than by a walk. */
const MOST_INDEXED = 50_000
/** The same in a span of time, of each survey. */
const MOST_OF_SURVEY = 5_000
const MOST_AT_ONCE = 400
const SPARSE = new Set(['tag', 'quality_flag'])

type Query = z.output<typeof ResponseQuery>

/**
 * A page of large responses may end before its limit. A rare answer, custom value or word is looked for where facts
 * know it.
 */
export async function listResponses(
  scope: Scope,
  query: Query,
  page: PageRequest,
): Promise<z.input<typeof ResponseList>> {
  const required = requiredTests({ all: nodesOf(query) })
  if (query.survey_id !== undefined) required.push({ field: 'survey_id', op: 'eq', value: query.survey_id })
  const find = async (tx: ReadTx): Promise<store.Listed[]> => {
    const chosen = await choose(scope, tx, query)
    if (!required.some(isRare)) return store.listResponses(tx, chosen, page)
    const first = await store.listResponses(tx, chosen, page, { first: FIRST_LOOK })
    if (first.length > page.limit) return first
    const places = await findPlaces(scope, tx, required, page)
    return places && 'pieces' in places
      ? readPieces<store.Listed>(
          places.pieces,
          { order: page.sorting ? null : 'desc', limit: page.limit, idOf: ({ id }) => id },
          (pieces) => store.listResponses(tx, chosen, page, { pieces }),
        )
      : store.listResponses(tx, chosen, page, places)
  }
  const found = await scope.read(
    async (tx) => {
      return store.readListed(tx, await find(tx), page)
    },
    { snapshot: true },
  )
  const counted = await countIfAsked(scope, query, {
    table: 'responses',
    alias: 'r',
    matching: async (tx) => store.conditionOf(await choose(scope, tx, query)),
    among: async (tx) => {
      const places = required.some(isRare)
        ? await findPlaces(scope, tx, required, { limit: 0, before: null })
        : undefined
      if (!places) return undefined
      return store.selectAmong(tx, 'pieces' in places ? { pieces: joinPieces(places.pieces) } : places)
    },
    all: async (tx) => store.conditionOf(await choose(scope, tx, {})),
  })
  return { ...presentPage(found.rows, found.page, presentResponse), ...counted }
}

function nodesOf({ filter, search, tag }: Chosen): FilterNode[] {
  const nodes: FilterNode[] = filter && 'all' in filter ? [...filter.all] : filter ? [filter] : []
  if (tag) nodes.push({ field: 'tag', op: 'eq', value: tag })
  if (search) nodes.push({ field: 'text', op: 'contains', value: search })
  return nodes
}

type Chosen = Partial<Query>

async function choose(scope: Scope, tx: ReadTx, query: Chosen): Promise<store.ResponseFilter> {
  const { survey_id, agent_id, state, band, from, to, channel, language } = query
  const nodes = nodesOf(query)
  return {
    state,
    band,
    from,
    to,
    channel,
    language,
    surveyId: survey_id === undefined ? undefined : parseId('survey', survey_id),
    agentId: agent_id === undefined ? undefined : parseId('agent', agent_id),
    condition: await compileFilter(
      'responses',
      { all: nodes },
      { tx, alias: 'r', now: scope.clock.now(), asker: scope.principal },
    ),
    namesState: nodes.flatMap(testsOf).some(({ field }) => field === 'state'),
  }
}

/** Whether a test may pass few responses, which a walk by id would find late. */
function isRare(test: FilterTest): boolean {
  return spanOfCompletion(test) !== null || indexedPart(test) !== null || factsMayFind(test)
}

type Places = { pieces: Piece[] } | Extract<store.Among, { holds: unknown }>

/** Where the responses are that pass all of these tests, if that is known and they are few. */
async function findPlaces(
  scope: Scope,
  tx: ReadTx,
  tests: FilterTest[],
  { before, sorting }: PageRequest,
): Promise<Places | undefined> {
  for (const part of tests.map(indexedPart)) {
    if (!part) continue
    const holds = await compileFilter('responses', { all: [part] }, { tx, alias: 'r', now: scope.clock.now() })
    if (await store.areFew(tx, holds, MOST_INDEXED)) return { holds }
  }
  const span = tests.map(spanOfCompletion).find((each) => each !== null)
  const beyond = before === null || sorting ? null : { id: before, order: 'desc' as const }
  const pieces = span ? await findWithin(tx, span, MOST_OF_SURVEY) : await findCandidates(scope, tx, tests, beyond)
  // Another order needs all pieces at once. A walk in that order meets more of them soon.
  return pieces && !(sorting && pieces.length > MOST_AT_ONCE) ? { pieces } : undefined
}

/** A test that holds wherever this one does, and that an index answers. */
function indexedPart({ field, op, value }: FilterTest): FilterTest | null {
  if (!POSITIVE.has(op)) return null
  if (SPARSE.has(field)) return { field, op: 'is_set' }
  return field === 'started_at' ? { field, op, value } : null
}

/** The span of time of a test of the completion that has two ends. */
function spanOfCompletion({ field, op, value }: FilterTest): { since: Date; until: Date } | null {
  if (field !== 'completed_at' || (op !== 'between' && op !== 'eq')) return null
  const [low, high = low] = [value].flat().map((each) => spanOf(each as Scalar))
  // The end of a moment is within it.
  return low && high ? { since: low.from, until: new Date(high.until.getTime() + 1) } : null
}
