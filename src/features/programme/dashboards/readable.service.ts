import { badRequest, Problem } from '../../../http/problems/problem.ts'
import type { ReadTx } from '../../../platform/database/database.ts'
import type { Scope } from '../../../platform/scope.ts'
import { readPeriod } from '../../answers/reporting/report/periods.service.ts'
import { ROWS, type Content } from './data.service.ts'
import { endsOf } from './query.ts'

/** A point is an interval of a row. */
const MOST_POINTS = 30_000
const TOO_MANY_POINTS = `The dashboard would have more than ${MOST_POINTS.toLocaleString('en')} points. Choose a longer interval, a shorter period or a smaller limit.`

/**
 * Refuses what nobody could read afterwards.
 * @throws Problem 400 for a period that ends before it begins, an interval that is too short for it, or too many points.
 */
export async function requireReadable(
  scope: Scope,
  tx: ReadTx,
  { period, timezone, widgets }: Pick<Content, 'period' | 'timezone' | 'widgets'>,
): Promise<void> {
  const ends = endsOf(period, timezone, scope.clock.now())
  const read = (interval: 'day' | 'week' | 'month', path: string) =>
    underPath(path, () => readPeriod(scope, tx, { ...ends, interval, timezone }))
  await read('month', 'from' in period ? 'period.to' : 'period.days')
  const lengths = new Map<string, number>()
  let points = 0
  for (const [index, { kind, query }] of widgets.entries()) {
    const { interval, by, limit = ROWS } = query
    if (!interval) continue
    const path = `widgets.${index}.query.interval`
    const length = lengths.get(interval) ?? (await read(interval, path)).buckets.length
    lengths.set(interval, length)
    const series = kind === 'leaderboard' || by?.length ? limit : query.compare ? 2 : 1
    points += length * series
    if (points > MOST_POINTS) throw badRequest([{ path, message: TOO_MANY_POINTS }])
  }
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
