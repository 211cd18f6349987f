import { type RawBuilder, type ReadTx, sql, type TenantTx } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'
import { METRICS, type Metric } from '../../../../survey-engine/model/definition.ts'
import { inFigures, isWhole } from '../../../../platform/anonymity-threshold.ts'
import { ANSWER_PARTS, FIRST_SCORES } from './answer-parts.ts'
import { scoresOf } from '../../../../survey-engine/metrics/metrics.ts'
import type { CellCount } from './report-cells.ts'
import type { TrendCount } from './report-figures.ts'
import { droppedOff } from '../../rows/response.entity.ts'
import type { Cover, Span } from './rollup-cover.ts'

/** The responses to count, in slots: slot 1 begins at the first cut, slot 2 at the second, and so on. */
export interface LiveCount {
  surveyId: Id<'survey'>
  /** The filter, compiled on the alias `r`. Undefined counts all. */
  condition: RawBuilder<unknown> | undefined
  spans: Span[]
  cuts: Date[]
}

/** Whether more than `limit` responses would be read one by one. */
export async function isCrowded(tx: ReadTx, surveyId: Id<'survey'>, spans: Span[], limit: number): Promise<boolean> {
  const source = within(tx, surveyId, spans, sql`1`, sql`true`)
  const rows = await tx.many(sql`select 1 from ${source} offset ${limit} limit 1`)
  return rows.length > 0
}

/** The cells of responses that are read one by one. Slots before `wholeFrom` only have states and scores. */
export function countCells(
  tx: ReadTx,
  live: LiveCount,
  wholeFrom: number,
): Promise<Array<CellCount & { slot: number }>> {
  if (live.spans.length === 0) return Promise.resolve([])
  const rows = within(tx, live.surveyId, live.spans, sql`r.recorded_at, ${CONTENT}`, live.condition ?? sql`true`)
  return tx.many(sql<CellCount & { slot: number }>`
    with r as materialized (select r.*, slot, slot >= ${wholeFrom} as whole from ${rows} cross join lateral width_bucket(r.recorded_at, ${live.cuts}::timestamptz[]) as slot),
    ${CELLS}
    select slot, cell, n::int from cells`)
}

/** The cells of rollups. Slots before `wholeFrom` only have states and scores. */
export function sumCells(
  tx: ReadTx,
  surveyId: Id<'survey'>,
  cover: Cover,
  { cuts, wholeFrom }: { cuts: Date[]; wholeFrom: number },
): Promise<Array<CellCount & { slot: number }>> {
  if (cover.days.length + cover.quarters.length === 0) return Promise.resolve([])
  return tx.many(sql<CellCount & { slot: number }>`
    select width_bucket(r.starts_at, ${cuts}::timestamptz[]) as slot, counted.cell, sum(counted.n::int * r.sign)::int as n
    from ${rolled(tx, surveyId, cover, sql`counts`)} cross join lateral jsonb_each_text(r.counts) as counted (cell, n)
    where width_bucket(r.starts_at, ${cuts}::timestamptz[]) >= ${wholeFrom}::int or counted.cell like '["state"%' or counted.cell like '["score"%'
    group by 1, 2`)
}

export function countTrend(tx: ReadTx, live: LiveCount, metric: Metric | null): Promise<TrendCount[]> {
  if (live.spans.length === 0) return Promise.resolve([])
  const rows = within(
    tx,
    live.surveyId,
    live.spans,
    sql`r.recorded_at, r.state, r.metric, r.score, r.anonymity`,
    live.condition ?? sql`true`,
  )
  return tx.many(sql<TrendCount>`
    select width_bucket(r.recorded_at, ${live.cuts}::timestamptz[]) as slot, ${STANDING}, ${metric ? scoreCounts(metric) : NO_SCORES} as scores from ${rows} group by 1`)
}

export function sumTrend(
  tx: ReadTx,
  surveyId: Id<'survey'>,
  cover: Cover,
  cuts: Date[],
  metric: Metric | null,
): Promise<TrendCount[]> {
  if (cover.days.length + cover.quarters.length === 0) return Promise.resolve([])
  const columns = sql`responses, completed${metric ? sql`, ${sql.ref(metric)}` : sql``}`
  return tx.many(sql<TrendCount>`
    select width_bucket(r.starts_at, ${cuts}::timestamptz[]) as slot, sum(r.responses * r.sign)::int as responses, sum(r.completed * r.sign)::int as completed,
      ${metric ? scoreSums(metric) : NO_SCORES} as scores
    from ${rolled(tx, surveyId, cover, columns)} group by 1`)
}

/** The median time of the completed responses of a span. Null without any. */
export async function medianDuration(
  tx: ReadTx,
  surveyId: Id<'survey'>,
  { since, until }: Span,
  condition: RawBuilder<unknown>,
): Promise<number | null> {
  const { median } = await tx.one(sql<{ median: number | null }>`
    select round(percentile_cont(0.5) within group (order by r.duration_ms))::float8 as median from responses r
    where r.tenant_id = ${tx.tenantId} and r.recorded_at <= 'infinity' and r.recorded_at >= ${since} and r.recorded_at < ${until}
      and r.survey_id = ${surveyId} and r.state = 'completed' and r.duration_ms is not null and ${condition}`)
  return median
}

export function deleteRollups(
  tx: TenantTx,
  surveyId: Id<'survey'>,
  minutes: 15 | 1440,
  starts: Date[],
): Promise<number> {
  return tx.run(sql`
    delete from report_rollups
    where tenant_id = ${tx.tenantId} and survey_id = ${surveyId} and minutes = ${minutes} and starts_at = any(${starts}::timestamptz[])`)
}

/** Makes rollups of whole quarters of an hour. */
export async function insertQuarters(tx: TenantTx, surveyId: Id<'survey'>, spans: Span[]): Promise<void> {
  const rows = within(tx, surveyId, spans, sql`r.recorded_at, r.metric, r.score, ${CONTENT}`, inFigures('r'))
  await tx.many(sql`
    with r as materialized (select r.*, date_bin('15 minutes', r.recorded_at, 'epoch') as slot, true as whole from ${rows}),
    ${CELLS},
    counted as (select slot, jsonb_object_agg(cell, n) as counts from cells group by slot),
    scored as (select slot, ${STANDING}, ${sql.join(METRICS.map((metric) => sql`${unlessNone(metric)} as ${sql.ref(metric)}`))} from r group by slot)
    insert into report_rollups (tenant_id, survey_id, minutes, starts_at, responses, completed, nps, csat, ces, counts)
    select ${tx.tenantId}, ${surveyId}, 15, slot, scored.responses, scored.completed, scored.nps, scored.csat, scored.ces, counted.counts
    from scored join counted using (slot)
    returning starts_at`)
}

/** Makes rollups of whole days from those of quarters. */
export async function insertDays(tx: TenantTx, surveyId: Id<'survey'>, spans: Span[]): Promise<void> {
  const rows = rolled(
    tx,
    surveyId,
    { days: [], quarters: spans, stale: [], live: [] },
    sql`responses, completed, nps, csat, ces, counts`,
  )
  await tx.many(sql`
    with r as materialized (select r.*, date_bin('1 day', r.starts_at, 'epoch') as slot from ${rows}),
    cells as (select slot, cell, sum(single.n::int)::int as n from r cross join lateral jsonb_each_text(r.counts) as single (cell, n) group by slot, cell),
    counted as (select slot, jsonb_object_agg(cell, n) as counts from cells group by slot),
    scored as (
      select slot, sum(r.responses) as responses, sum(r.completed) as completed,
        ${sql.join(METRICS.map((metric) => sql`case when count(r.${sql.ref(metric)}) > 0 then ${scoreSums(metric)} end as ${sql.ref(metric)}`))}
      from r group by slot)
    insert into report_rollups (tenant_id, survey_id, minutes, starts_at, responses, completed, nps, csat, ces, counts)
    select ${tx.tenantId}, ${surveyId}, 1440, slot, scored.responses, scored.completed, scored.nps, scored.csat, scored.ces, counted.counts
    from scored join counted using (slot)
    returning starts_at`)
}

const CONTENT = sql`r.state, r.path, r.answers, r.text, r.anonymity`
const COUNTED = sql`r.state not in ('quarantined', 'deleted')`
const NO_SCORES = sql`'{}'::int[]`
const STANDING = sql`count(*) filter (where ${COUNTED} and ${isWhole('r')})::int as responses,
  count(*) filter (where r.state = 'completed' and ${isWhole('r')})::int as completed`

/**
 * The counts over the rows of `r` (slot, whole, state, path, answers, text, anonymity). A metric's score is its first
 * answered question.
 */
const CELLS = sql`
  cells as (
    select slot, jsonb_build_array('state', r.state)::text as cell, count(*) as n from r where ${isWhole('r')} group by slot, r.state
    union all
    select slot, jsonb_build_array('score', scored.type, scored.value)::text, count(*)
    from r ${sql.raw(FIRST_SCORES)}
    where r.state = 'completed' and scored.value is not null group by slot, scored.type, scored.value
    union all
    select slot, jsonb_build_array(kinds.kind, question)::text, kinds.n from (
      select slot, question, count(*) as reached, count(*) filter (where question = ${droppedOff('r')}) as dropped
      from r cross join lateral unnest(r.path) as met (question) where r.whole and ${COUNTED} group by slot, question) as met
    cross join lateral (values ('reached', met.reached), ('dropped', met.dropped)) as kinds (kind, n) where kinds.n > 0
    union all
    select slot, jsonb_build_array(kinds.kind, question)::text, kinds.n from (
      select slot, question, count(*) as answered, count(*) filter (where r.state = 'completed') as finished
      from r cross join lateral (select distinct item ->> 'question_id' as question from jsonb_array_elements(r.answers || r.text) as given (item)) as given
      where r.whole and ${COUNTED} group by slot, question) as given
    cross join lateral (values ('answered', given.answered), ('finished', given.finished)) as kinds (kind, n) where kinds.n > 0
    union all
    select slot, jsonb_build_array('answer', question, type, part, value)::text, n from (
      select slot, given.item ->> 'question_id' as question, given.item ->> 'type' as type, single.part, single.value, count(*) as n
      from r ${sql.raw(ANSWER_PARTS)}
      where r.whole and r.state = 'completed'
      group by 1, 2, 3, 4, 5) as spread)`

function scoreCounts(metric: Metric): RawBuilder<unknown> {
  const counts = scoresOf(metric).map(
    (score) =>
      sql`count(*) filter (where r.state = 'completed' and r.metric = ${sql.lit(metric)} and r.score = ${sql.lit(score)})::int`,
  )
  return sql`array[${sql.join(counts)}]`
}

function unlessNone(metric: Metric): RawBuilder<unknown> {
  return sql`case when bool_or(r.state = 'completed' and r.metric = ${sql.lit(metric)}) then ${scoreCounts(metric)} end`
}

function scoreSums(metric: Metric): RawBuilder<unknown> {
  return sql`array[${sql.join(scoresOf(metric).map((_, index) => sql`coalesce(sum(r.${sql.ref(metric)}[${sql.lit(index + 1)}] * r.sign), 0)::int`))}]`
}

// OFFSET 0 fixes the join order: one index range for each span, whatever the planner guesses about its size.
function within(
  tx: ReadTx,
  surveyId: Id<'survey'>,
  spans: Span[],
  columns: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`${unnested(spans)} cross join lateral (
    select ${columns} from responses r
    where r.tenant_id = ${tx.tenantId} and r.survey_id = ${surveyId} and r.recorded_at >= '-infinity' and r.recorded_at >= span.since
      and r.recorded_at < span.until and ${condition} offset 0) as r`
}

function rolled(
  tx: ReadTx,
  surveyId: Id<'survey'>,
  { days, quarters, stale }: Cover,
  columns: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const minutes = [...days.map(() => 1440), ...quarters.map(() => 15), ...stale.map(() => 15)]
  const signs = [...days.map(() => 1), ...quarters.map(() => 1), ...stale.map(() => -1)]
  return sql`${unnested([...days, ...quarters, ...stale], minutes, signs)} cross join lateral (
    select u.starts_at, span.sign, ${columns} from report_rollups u
    where u.tenant_id = ${tx.tenantId} and u.survey_id = ${surveyId} and u.minutes = span.minutes and u.starts_at >= span.since and u.starts_at < span.until offset 0) as r`
}

function unnested(spans: Span[], minutes: number[] = [], signs: number[] = []): RawBuilder<unknown> {
  const [since, until] = [spans.map((span) => span.since), spans.map((span) => span.until)]
  return sql`unnest(${since}::timestamptz[], ${until}::timestamptz[], ${minutes}::int[], ${signs}::int[]) as span (since, until, minutes, sign)`
}

/** The last completed response of each survey. Of an anonymous one: the day of its last group. */
export function listLast(tx: ReadTx, ids: Id<'survey'>[]): Promise<Array<{ id: Id<'survey'>; at: Date }>> {
  return tx.many(sql<{ id: Id<'survey'>; at: Date }>`
    select given.id, last.at from unnest(${ids}::uuid[]) as given (id)
    cross join lateral (
      select case when r.anonymity is null then r.recorded_at else date_bin('1 day', r.recorded_at, 'epoch') end as at
      from responses r
      where r.tenant_id = ${tx.tenantId} and r.survey_id = given.id and r.recorded_at >= '-infinity'
        and r.state = 'completed' and ${inFigures('r')}
      order by r.recorded_at desc limit 1) last`)
}
