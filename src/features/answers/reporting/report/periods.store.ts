import { type RawBuilder, type ReadTx, sql } from '../../../../platform/database/database.ts'

export interface Period {
  previousFrom: Date
  from: Date
  to: Date
}

export interface PeriodRequest {
  from: string | undefined
  to: string | undefined
  interval: 'day' | 'week' | 'month'
  timezone: string
  now: Date
  mostBuckets: number
}

export interface Bucket {
  date: string
  from: Date
}

/** Turns days into times with the database's time zones, and lists the intervals of the period. */
export async function findPeriod(tx: ReadTx, request: PeriodRequest): Promise<Period & { buckets: Bucket[] }> {
  const { timezone, interval } = request
  const end =
    request.to === undefined
      ? sql`date_trunc('day', ${request.now}::timestamptz at time zone ${timezone}) + interval '1 day'`
      : localTime(request.to, timezone, 1)
  const start = request.from === undefined ? sql`ending - interval '30 days'` : localTime(request.from, timezone, 0)
  const rows = await tx.many(sql<BucketRow>`
    with ends as (select ${end} as ending),
    bounds as (select ${start} as beginning, ending from ends)
    select (beginning - (ending - beginning)) at time zone ${timezone} as before,
      ${isMoment(request.from) ? sql`${request.from}::timestamptz` : firstMoment(sql`beginning`, timezone)} as since,
      ${isMoment(request.to) ? sql`${request.to}::timestamptz` : firstMoment(sql`ending`, timezone)} as until,
      to_char(bucket, 'YYYY-MM-DD') as bucket, ${firstMoment(sql`bucket`, timezone)} as starts_at
    from bounds left join lateral (
      select generate_series(date_trunc(${interval}, beginning), ending - interval '1 microsecond', ${`1 ${interval}`}::interval) as bucket limit ${request.mostBuckets + 1}
    ) as series on true
    order by bucket`)
  const { before, since, until } = rows[0] ?? { before: request.now, since: request.now, until: request.now }
  return {
    previousFrom: before,
    from: since,
    to: until,
    buckets: rows.flatMap(({ bucket, starts_at }) => (bucket === null ? [] : [{ date: bucket, from: starts_at }])),
  }
}

interface BucketRow {
  before: Date
  since: Date
  until: Date
  /** Null in the only row of a period without intervals. */
  bucket: string | null
  starts_at: Date
}

function localTime(bound: string, timezone: string, daysAfter: number): RawBuilder<unknown> {
  if (isMoment(bound)) return sql`${bound}::timestamptz at time zone ${timezone}`
  return sql`(${bound}::date + ${daysAfter}::integer)::timestamp`
}

function isMoment(bound: string | undefined): boolean {
  return bound !== undefined && bound.length > 10
}

// If clocks go back over midnight, there are two midnights and the database takes the second. The day begins at the
// first.
function firstMoment(local: RawBuilder<unknown>, timezone: string): RawBuilder<unknown> {
  const moment = sql`(${local} at time zone ${timezone})`
  return sql`case when (${moment} - interval '1 hour') at time zone ${timezone} >= ${local} then ${moment} - interval '1 hour' else ${moment} end`
}
