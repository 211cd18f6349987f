import { sql, type RawBuilder, type TenantTx } from '../../platform/database.ts'
import { parseId, type Id } from '../../platform/ids.ts'
import type { FilterTest, ReportFilter } from './report-filter.ts'

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

/** Resolves days to moments by the database's knowledge of time zones, and lists the intervals of the period. */
export async function findPeriod(tx: TenantTx, request: PeriodRequest): Promise<Period & { buckets: Bucket[] }> {
  const { timezone, interval } = request
  const end =
    request.to === undefined
      ? sql`date_trunc('day', ${request.now}::timestamptz at time zone ${timezone}) + interval '1 day'`
      : localMoment(request.to, timezone, 1)
  const start = request.from === undefined ? sql`ending - interval '30 days'` : localMoment(request.from, timezone, 0)
  const rows = await tx.many(sql<BucketRow>`
    with ends as (select ${end} as ending),
    bounds as (select ${start} as beginning, ending from ends)
    select (beginning - (ending - beginning)) at time zone ${timezone} as before, beginning at time zone ${timezone} as since, ending at time zone ${timezone} as until,
      to_char(bucket, 'YYYY-MM-DD') as bucket, bucket at time zone ${timezone} as starts_at
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
  /** Null in the only row of a period without any. */
  bucket: string | null
  starts_at: Date
}

function localMoment(bound: string, timezone: string, daysAfter: number): RawBuilder<unknown> {
  if (bound.length > 10) return sql`${bound}::timestamptz at time zone ${timezone}`
  return sql`(${bound}::date + ${daysAfter}::integer)::timestamp`
}

/** Which responses a report reads. */
export interface Reach {
  surveyId: Id<'survey'>
  filter: ReportFilter | undefined
}

export interface StateCount {
  current: boolean
  state: string
  n: number
}

/** Both periods in one. */
export function countStates(tx: TenantTx, reach: Reach, period: Period): Promise<StateCount[]> {
  return tx.many(sql<StateCount>`
    select r.recorded_at >= ${period.from} as current, r.state, count(*)::int as n
    from responses r where ${within(tx, reach, period.previousFrom, period.to)}
    group by 1, 2`)
}

export interface ScoreCount {
  current: boolean
  type: 'nps' | 'csat' | 'ces'
  value: number
  n: number
}

/** How often each score was given, by the first answered question of each metric in each completed response; both periods in one. */
export function countScores(tx: TenantTx, reach: Reach, period: Period): Promise<ScoreCount[]> {
  return tx.many(sql<ScoreCount>`
    select r.recorded_at >= ${period.from} as current, scored.type, scored.value, count(*)::int as n
    from responses r cross join lateral (
      select distinct on (item ->> 'type') item ->> 'type' as type, (item ->> 'value')::int as value
      from jsonb_array_elements(r.answers) with ordinality as answered (item, place)
      where item ->> 'type' in ('nps', 'csat', 'ces')
      order by item ->> 'type', place
    ) as scored
    where ${within(tx, reach, period.previousFrom, period.to)} and r.state = 'completed'
    group by 1, 2, 3`)
}

export interface AnswerCount {
  question: string
  type: string
  /** The row of a matrix, the place in a ranking; null elsewhere. */
  part: string | null
  value: string
  n: number
}

/** How often each answer was given in completed responses; days count in their month. */
export function countAnswers(tx: TenantTx, reach: Reach, period: Period): Promise<AnswerCount[]> {
  return tx.many(sql<AnswerCount>`
    select given.item ->> 'question_id' as question, given.item ->> 'type' as type, single.part, single.value, count(*)::int as n
    from responses r
    cross join lateral jsonb_array_elements(r.answers) as given (item)
    cross join lateral (
      select null as part, case when given.item ->> 'type' = 'date' then left(given.item ->> 'value', 7) else given.item ->> 'value' end as value
      where jsonb_typeof(given.item -> 'value') not in ('array', 'object')
      union all
      select case when given.item ->> 'type' = 'ranking' then place::text end, element #>> '{}'
      from jsonb_array_elements(case when jsonb_typeof(given.item -> 'value') = 'array' then given.item -> 'value' else '[]' end) with ordinality as listed (element, place)
      union all
      select line, cell #>> '{}'
      from jsonb_each(case when jsonb_typeof(given.item -> 'value') = 'object' then given.item -> 'value' else '{}' end) as cells (line, cell)
    ) as single
    where ${within(tx, reach, period.from, period.to)} and r.state = 'completed'
    group by 1, 2, 3, 4`)
}

export interface QuestionCount {
  question: string
  reached: number
  dropped: number
}

/** How many responses met each question, and how many unfinished ones stopped at it. */
export function countReached(tx: TenantTx, reach: Reach, period: Period): Promise<QuestionCount[]> {
  return tx.many(sql<QuestionCount>`
    select question, count(*)::int as reached,
      count(*) filter (where r.state in ('started', 'partial') and question = r.path[cardinality(r.path)])::int as dropped
    from responses r cross join lateral unnest(r.path) as met (question)
    where ${within(tx, reach, period.from, period.to)} and r.state not in ('quarantined', 'deleted')
    group by 1`)
}

export interface AnsweredCount {
  question: string
  /** Of all responses, and of the completed ones among them. */
  n: number
  completed: number
}

export function countAnswered(tx: TenantTx, reach: Reach, period: Period): Promise<AnsweredCount[]> {
  return tx.many(sql<AnsweredCount>`
    select question, count(*)::int as n, count(*) filter (where r.state = 'completed')::int as completed
    from responses r cross join lateral (
      select distinct item ->> 'question_id' as question from jsonb_array_elements(r.answers || r.text) as given (item)
    ) as answered
    where ${within(tx, reach, period.from, period.to)} and r.state not in ('quarantined', 'deleted')
    group by 1`)
}

export interface TrendCount {
  date: string
  state: string
  metric: string | null
  score: number | null
  n: number
}

export function countTrend(tx: TenantTx, reach: Reach, period: Period, cut: { interval: string; timezone: string }): Promise<TrendCount[]> {
  return tx.many(sql<TrendCount>`
    select to_char(date_trunc(${cut.interval}, r.recorded_at at time zone ${cut.timezone}), 'YYYY-MM-DD') as date, r.state, r.metric, r.score, count(*)::int as n
    from responses r where ${within(tx, reach, period.from, period.to)} and r.state not in ('quarantined', 'deleted')
    group by 1, 2, 3, 4`)
}

function within(tx: TenantTx, { surveyId, filter }: Reach, from: Date, to: Date): RawBuilder<unknown> {
  return sql`r.tenant_id = ${tx.tenantId} and r.survey_id = ${surveyId} and r.recorded_at >= ${from} and r.recorded_at < ${to} and ${conditionOf(filter)}`
}

function conditionOf(filter: ReportFilter | undefined): RawBuilder<unknown> {
  if (!filter) return sql`true`
  const [tests, joint, empty] = 'all' in filter ? [filter.all, sql` and `, sql`true`] : [filter.any, sql` or `, sql`false`]
  return tests.length === 0 ? empty : sql`(${sql.join(tests.map(testOf), joint)})`
}

function testOf({ field, op, value }: FilterTest): RawBuilder<unknown> {
  const values = (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(String)
  if (field === 'tag') return tagTest(op, values)
  if (field === 'agent_id')
    return compare(
      sql`r.agent_id::text`,
      op,
      values.map((text) => parseId('agent', text) ?? ''),
    )
  if (!field.startsWith('custom.')) return compare(sql`r.${sql.ref(field)}`, op, values)
  const name = field.slice('custom.'.length)
  const order = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` }[op as 'gt']
  if (!order) return compare(sql`(r.custom_data ->> ${name})`, op, values)
  return sql`(case when jsonb_typeof(r.custom_data -> ${name}) = 'number' then (r.custom_data ->> ${name})::numeric ${order} ${values[0]}::numeric else false end)`
}

function tagTest(op: FilterTest['op'], values: string[]): RawBuilder<unknown> {
  if (op === 'is_set') return sql`cardinality(r.tags) > 0`
  if (op === 'is_not_set') return sql`cardinality(r.tags) = 0`
  return op === 'ne' ? sql`not r.tags && ${values}::text[]` : sql`r.tags && ${values}::text[]`
}

// A comparison with what is not there is false, as in a survey's logic.
function compare(operand: RawBuilder<unknown>, op: FilterTest['op'], values: string[]): RawBuilder<unknown> {
  switch (op) {
    case 'is_set':
      return sql`${operand} is not null`
    case 'is_not_set':
      return sql`${operand} is null`
    case 'ne':
      return sql`${operand} <> ${values[0]}`
    case 'contains':
      return sql`strpos(lower(${operand}), lower(${values[0]})) > 0`
    case 'starts_with':
      return sql`starts_with(lower(${operand}), lower(${values[0]}))`
    default:
      return sql`${operand} = any(${values}::text[])`
  }
}
