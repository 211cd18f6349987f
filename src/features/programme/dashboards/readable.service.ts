import { badRequest, Problem } from '../../../http/problems/problem.ts'
import type { ReadTx } from '../../../platform/database/database.ts'
import type { Filter } from '../../../platform/filter/grammar.ts'
import type { Scope } from '../../../platform/scope.ts'
import { readPeriod } from '../../answers/reporting/report/periods.service.ts'
import { referencesIn } from '../../outreach/segments/references.ts'
import type { Common } from './data.service.ts'
import { endsOf, filtersOf, ROWS, type Period, type Query, type Widget } from './query.ts'

/** A point is an interval of a row. */
const MOST_POINTS = 30_000
const TOO_MANY_POINTS = `This would have more than ${MOST_POINTS.toLocaleString('en')} points. Choose a longer interval, a shorter period or a smaller limit.`

const MOST_SEGMENTS = 100
const TOO_MANY_SEGMENTS = `All queries together would name more than ${MOST_SEGMENTS} segments, each with those of the shared filter. Name fewer.`

/** A query that is to be read, and its place in the body. */
export interface Asked {
  path: string
  query: Query
  isRanked: boolean
}

/**
 * Refuses what nobody could read afterwards.
 * @throws Problem 400 for a period that ends before it begins, an interval that is too short for it, or too many points
 * or segments.
 */
export async function requireReadable(
  scope: Scope,
  tx: ReadTx,
  { period, timezone, filter }: Common,
  asked: Asked[],
): Promise<void> {
  requireFewSegments(filter, asked)
  const read = (within: Period, interval: 'day' | 'week' | 'month', path: string) =>
    underPath(path, () => readPeriod(scope, tx, { ...endsOf(within, timezone, scope.clock.now()), interval, timezone }))
  const check = (within: Period, path: string) => read(within, 'month', `${path}.${'from' in within ? 'to' : 'days'}`)
  await check(period, 'period')
  const lengths = new Map<string, number>()
  let points = 0
  for (const { path: own, query, isRanked } of asked) {
    const { interval, by, limit = ROWS, period: within = period } = query
    if (query.period) await check(query.period, `${own}.period`)
    if (!interval) continue
    const path = `${own}.interval`
    const known = JSON.stringify([within, interval])
    const length = lengths.get(known) ?? (await read(within, interval, path)).buckets.length
    lengths.set(known, length)
    const series = isRanked || by?.length ? limit : query.compare ? 2 : 1
    points += length * series
    if (points > MOST_POINTS) throw badRequest([{ path, message: TOO_MANY_POINTS }])
  }
}

// Each query asks for the segments of the filter that all share, too.
function requireFewSegments(shared: Filter, asked: Asked[]): void {
  const ofShared = segmentsIn(shared)
  let named = 0
  for (const { path, query } of asked) {
    named += ofShared + filtersOf(query).reduce((sum, filter) => sum + segmentsIn(filter), 0)
    if (named > MOST_SEGMENTS) throw badRequest([{ path, message: TOO_MANY_SEGMENTS }])
  }
}

function segmentsIn(filter: Filter): number {
  return referencesIn(filter, '').filter(({ kind }) => kind === 'segment').length
}

/** The queries of widgets. */
export function askedBy(widgets: Widget[]): Asked[] {
  return widgets.map(({ kind, query }, index) => ({
    path: `widgets.${index}.query`,
    query,
    isRanked: kind === 'leaderboard',
  }))
}

async function underPath<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const issues = error instanceof Problem && error.status === 400 ? error.options.issues : undefined
    if (!issues) throw error
    throw badRequest(issues.map(({ message }) => ({ path, message })))
  }
}
