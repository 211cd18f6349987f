import type { z } from 'zod'
import { presentPage, type Page, type PageRequest } from '../../../http/pagination.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import {
  testsOf,
  type Filter,
  type FilterNode,
  type FilterTest,
  type Scalar,
} from '../../../platform/filter/grammar.ts'
import { spanOf } from '../../../platform/filter/moments.ts'
import { parseId } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { findCandidates, findWithin } from '../reporting/candidates.service.ts'
import { presentResponse } from './present-response.ts'
import type { ResponseQuery, SurveyResponse } from './responses.schema.ts'
import * as store from './responses.store.ts'

/** Responses that a list reads before it asks facts where to look: some milliseconds. */
const FIRST_LOOK = 5_000
/** Responses that are read sooner in a few days than by a walk. */
const MOST_CANDIDATES = 50_000
/** The same in a span of time, of each survey. */
const MOST_OF_SURVEY = 5_000
const POSITIVE = new Set(['eq', 'one_of', 'contains', 'starts_with', 'gt', 'gte', 'lt', 'lte', 'between'])

/** The newest first. A rare answer or custom value is looked for in days that have it, by facts. */
export async function listResponses(
  scope: Scope,
  query: z.output<typeof ResponseQuery>,
  page: PageRequest,
): Promise<Page<z.input<typeof SurveyResponse>>> {
  const { survey_id, agent_id, filter, search, ...rest } = query
  const nodes: FilterNode[] = filter ? [filter] : []
  if (search) nodes.push({ field: 'text', op: 'contains', value: search })
  const rows = await scope.read(
    async (tx) => {
      const chosen = {
        ...rest,
        surveyId: survey_id === undefined ? undefined : parseId('survey', survey_id),
        agentId: agent_id === undefined ? undefined : parseId('agent', agent_id),
        condition: await compileFilter('responses', { all: nodes }, { tx, alias: 'r', now: scope.clock.now() }),
        namesState: nodes.flatMap(testsOf).some(({ field }) => field === 'state'),
      }
      const tests = testsWithoutIndex(filter)
      const span = spanAsked(filter)
      if (tests.length === 0 && !span) return store.listResponses(tx, chosen, page)
      const newest = await store.listResponses(tx, chosen, page, { newest: FIRST_LOOK })
      if (newest.length > page.limit) return newest
      const pieces = span
        ? await findWithin(tx, span, MOST_OF_SURVEY)
        : await findCandidates(scope, tx, tests, MOST_CANDIDATES)
      return store.listResponses(tx, chosen, page, pieces ? { pieces } : undefined)
    },
    { snapshot: true },
  )
  return presentPage(rows, page.limit, presentResponse)
}

/** The span of time of a test of the completion that has two ends. */
function spanAsked(filter: Filter | undefined): { since: Date; until: Date } | null {
  const nodes = filter && 'all' in filter ? filter.all : []
  const test = nodes.find(
    (node) => 'field' in node && node.field === 'completed_at' && (node.op === 'between' || node.op === 'eq'),
  ) as FilterTest | undefined
  if (!test) return null
  const [low, high = low] = [test.value].flat().map((value) => spanOf(value as Scalar))
  // The end of a moment is within it.
  return low && high ? { since: low.from, until: new Date(high.until.getTime() + 1) } : null
}

/** Tests of a filter that all have to hold, and that no index of responses answers. */
function testsWithoutIndex(filter: Filter | undefined): FilterTest[] {
  const nodes = filter && 'all' in filter ? filter.all : []
  return nodes.filter(
    (node) => 'field' in node && /^(?:answer|custom)\./.test(node.field) && POSITIVE.has(node.op),
  ) as FilterTest[]
}
