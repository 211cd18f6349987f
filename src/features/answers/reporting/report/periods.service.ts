import { badRequest } from '../../../../http/problems/problem.ts'
import type { ReadTx } from '../../../../platform/database/database.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { findPeriod, type Bucket, type Period } from './periods.store.ts'

const MOST_BUCKETS = 1_000

export interface PeriodQuery {
  from?: string | undefined
  to?: string | undefined
  interval: 'day' | 'week' | 'month'
  timezone: string
}

/**
 * The period of a report, the one before it, and its intervals.
 * @throws Problem 400 for a period that ends before it begins or has more than 1,000 intervals.
 */
export async function readPeriod(
  scope: Scope,
  tx: ReadTx,
  { from, to, interval, timezone }: PeriodQuery,
): Promise<Period & { buckets: Bucket[] }> {
  const now = scope.clock.now()
  const period = await findPeriod(tx, { from, to, interval, timezone, now, mostBuckets: MOST_BUCKETS })
  if (period.from >= period.to) throw badRequest([{ path: 'to', message: 'Choose a time after `from`.' }])
  if (period.buckets.length > MOST_BUCKETS)
    throw badRequest([
      {
        path: 'interval',
        message: `Choose a longer interval or a shorter period. A trend can have at most ${MOST_BUCKETS} intervals.`,
      },
    ])
  return period
}
