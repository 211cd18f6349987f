import { badRequest, Problem } from '../../../http/problem.ts'
import type { ReadTx } from '../../../platform/database.ts'
import type { Scope } from '../../../platform/scope.ts'
import { readPeriod } from '../../answers/reporting/periods.service.ts'
import type { Content } from './data.service.ts'
import { endsOf } from './periods.ts'

/**
 * Refuses what nobody could read afterwards.
 * @throws Problem 400 for a period that ends before it begins, or an interval that is too short for it.
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
  const seen = new Set<string>()
  for (const [index, { query }] of widgets.entries()) {
    if (!query.interval || seen.has(query.interval)) continue
    seen.add(query.interval)
    await read(query.interval, `widgets.${index}.query.interval`)
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
