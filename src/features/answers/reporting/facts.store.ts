import { type RawBuilder, type ReadTx, sql, type TenantTx } from '../../../platform/database.ts'
import type { Id } from '../../../platform/ids.ts'
import { FIRST_SCORES, SINGLE_ANSWERS, within } from './counts.store.ts'
import type { Segment } from './fact-cover.ts'
import type { CellCount } from './report-cells.ts'
import type { Span } from './rollup-cover.ts'

/** Responses in one row of bits. Making a row takes the square of it. */
const PART = 4_096
/** A field with more values in a day has no facts that day. */
const MOST_VALUES = 50
const ALL = '["all"]'

/** A filter on facts: `bits` is made of `t0`, `t1` … which hold where one of the cells of that test does. */
export interface FactCondition {
  tests: string[][]
  bits: RawBuilder<unknown>
}

/** The days of a survey that have facts, in order. */
export async function listDays(tx: ReadTx, surveyId: Id<'survey'>, { since, until }: Span): Promise<Date[]> {
  const rows = await tx.many(sql<{ starts_at: Date }>`
    select distinct starts_at from report_facts
    where tenant_id = ${tx.tenantId} and survey_id = ${surveyId} and cell = ${ALL}
      and starts_at > ${since}::timestamptz - interval '1 day' and starts_at < ${until} order by starts_at`)
  return rows.map((row) => row.starts_at)
}

/** Days with rollups and without facts, the newest first. */
export async function listMissingDays(tx: ReadTx, surveyId: Id<'survey'>): Promise<{ starts_at: Date; n: number }[]> {
  return tx.many(sql<{ starts_at: Date; n: number }>`
    select u.starts_at, u.responses as n from report_rollups u
    where u.tenant_id = ${tx.tenantId} and u.survey_id = ${surveyId} and u.minutes = 1440 and not exists (
      select from report_facts f where f.tenant_id = ${tx.tenantId} and f.survey_id = ${surveyId} and f.cell = ${ALL}
        and f.starts_at = u.starts_at)
    order by u.starts_at desc limit 100`)
}

/** The different cells of these days that begin with a prefix. After it comes `,` or `]`, which are below `^`. */
export async function listCells(
  tx: ReadTx,
  surveyId: Id<'survey'>,
  { since, until }: Span,
  prefixes: string[],
): Promise<string[]> {
  const rows = await tx.many(sql<{ cell: string }>`
    select distinct f.cell from unnest(${prefixes}::text[]) as one (prefix)
    cross join lateral (
      select cell from report_facts
      where tenant_id = ${tx.tenantId} and survey_id = ${surveyId} and cell >= one.prefix collate "C" and cell < (one.prefix || '^') collate "C"
        and starts_at > ${since}::timestamptz - interval '1 day' and starts_at < ${until} offset 0) as f`)
  return rows.map((row) => row.cell)
}

export interface FactCount {
  surveyId: Id<'survey'>
  condition: FactCondition
  segments: Segment[]
  /** Only states and points, or all that a report shows of slots from `wholeFrom` on. */
  cells: 'trend' | { wholeFrom: number }
}

/** Counts the responses that pass a condition, by slot and cell. */
export function countFacts(
  tx: ReadTx,
  { surveyId, condition, segments, cells }: FactCount,
): Promise<Array<CellCount & { slot: number }>> {
  const [first, last] = [segments[0], segments.at(-1)]
  if (!first || !last) return Promise.resolve([])
  const days = sql`f.tenant_id = ${tx.tenantId} and f.survey_id = ${surveyId} and f.starts_at >= ${first.day} and f.starts_at <= ${last.day}`
  const shown =
    cells === 'trend'
      ? sql`(${ofKind('state')} or ${ofKind('points')})`
      : sql`not ${ofKind('points')} and (m.slot >= ${cells.wholeFrom} or ${ofKind('state')} or ${ofKind('score')})`
  const used = [...new Set(condition.tests.flat())]
  const tests = condition.tests.map(
    (passing, index) =>
      sql`bit_or(f.holds) filter (where f.cell = any(${passing}::text[])) as ${sql.ref(`t${index}`)}`,
  )
  return tx.many(sql<CellCount & { slot: number }>`
    with whole as materialized (select f.starts_at, f.part, f.holds, f.recorded from report_facts f where ${days} and f.cell = ${ALL}),
    tested as materialized (
      select f.starts_at, f.part, ${sql.join([...tests, ...STATES])}
      from report_facts f where ${days} and f.cell = any(${[...used, ...STATE_CELLS]}::text[]) group by 1, 2),
    passing as materialized (
      select w.starts_at, w.part, w.recorded, length(w.holds) as n, coalesce(t.completed, ~w.holds) as completed, coalesce(t.open, ~w.holds) as open,
        w.holds & ~coalesce(t.uncounted, ~w.holds) as counted, ${condition.bits} as holds
      from whole w left join tested t using (starts_at, part)),
    placed as (
      select p.*, s.slot, width_bucket(s.since - interval '1 microsecond', p.recorded) as low, width_bucket(s.until - interval '1 microsecond', p.recorded) as high
      from unnest(${segments.map(({ day }) => day)}::timestamptz[], ${segments.map(({ since }) => since)}::timestamptz[],
        ${segments.map(({ until }) => until)}::timestamptz[], ${segments.map(({ slot }) => slot)}::int[]) as s (day, since, until, slot)
      join passing p on p.starts_at = s.day),
    m as materialized (
      select starts_at, part, slot, one.holds, one.holds & completed as completed, one.holds & open as open, one.holds & counted as counted
      from placed cross join lateral (select case when low = 0 and high = n then placed.holds
        else placed.holds & (repeat('0', low) || repeat('1', high - low) || repeat('0', n - high))::varbit end as holds) as one
      where high > low and bit_count(one.holds) > 0)
    select m.slot, f.cell,
      sum(bit_count(f.holds & case f.among when 'completed' then m.completed when 'counted' then m.counted when 'open' then m.open else m.holds end))::int as n
    from report_facts f join m on m.starts_at = f.starts_at and m.part = f.part
    where ${days} and f.among is not null and ${shown} group by 1, 2`)
}

export function deleteFacts(tx: TenantTx, surveyId: Id<'survey'>, days: Date[]): Promise<number> {
  return tx.run(sql`
    delete from report_facts where tenant_id = ${tx.tenantId} and survey_id = ${surveyId} and starts_at = any(${days}::timestamptz[])`)
}

/** Makes the facts of whole days. Those of anonymous surveys are never filtered. */
export async function insertFacts(tx: TenantTx, surveyId: Id<'survey'>, days: Span[]): Promise<void> {
  const columns = sql`r.id, r.recorded_at, r.state, r.path, r.answers, r.text, r.channel, r.language, r.metric, r.band, r.score, r.agent_id, r.tags, r.quality_flags`
  await tx.many(sql`
    with r as materialized (
      select numbered.*, numbered.nr / ${PART}::int as part, numbered.nr % ${PART}::int as at from (
        select r.*, date_bin('1 day', r.recorded_at, 'epoch') as starts_at,
          (row_number() over (partition by date_bin('1 day', r.recorded_at, 'epoch') order by r.recorded_at, r.id) - 1)::int as nr
        from ${within(tx, surveyId, days, columns, sql`r.anonymity is null`)}) as numbered),
    whole as materialized (
      select day.starts_at, coalesce(r.part, 0) as part, array_agg(r.recorded_at order by r.at) filter (where r.at >= 0) as recorded,
        repeat('0', count(r.at)::int)::varbit as none
      from unnest(${days.map((day) => day.since)}::timestamptz[]) as day (starts_at) left join r using (starts_at) group by 1, 2),
    facts (starts_at, part, at, kind, a, b, c, d) as (
      select r.starts_at, r.part, r.at, one.* from r cross join lateral (values
        ('state', r.state, null, null, null), ('channel', r.channel, null, null, null), ('language', r.language, null, null, null),
        ('metric', r.metric, null, null, null), ('band', r.band, null, null, null), ('agent_id', r.agent_id::text, null, null, null),
        ('points', coalesce(r.metric, ''), r.score::text, null, null)) as one (kind, a, b, c, d) where one.a is not null and (one.kind <> 'points' or one.b is not null)
      union all
      select r.starts_at, r.part, r.at, 'score', scored.type, scored.value, null, null from r cross join lateral ${FIRST_SCORES} where scored.value is not null
      union all
      select r.starts_at, r.part, r.at, listed.* , null, null, null from r cross join lateral (
        select 'tag', unnest(r.tags) union all select 'quality_flag', unnest(r.quality_flags) union all select 'reached', unnest(r.path)
        union all select 'dropped', r.path[cardinality(r.path)] where cardinality(r.path) > 0
        union all select 'spoken', item ->> 'question_id' from jsonb_array_elements(r.text) as given (item)) as listed (kind, a)
      union all
      select r.starts_at, r.part, r.at, kinds.kind, given.item ->> 'question_id', null, null, null
      from r cross join lateral jsonb_array_elements(r.answers || r.text) as given (item) cross join (values ('answered'), ('finished')) as kinds (kind)
      union all
      select r.starts_at, r.part, r.at, 'answer', given.item ->> 'question_id', given.item ->> 'type', single.part, single.value from r ${SINGLE_ANSWERS}),
    holding as materialized (
      select starts_at, part, kind, a, b, c, d, bit_or(set_bit(w.none, at, 1)) as holds
      from facts join whole w using (starts_at, part) group by 1, 2, 3, 4, 5, 6, 7),
    various as materialized (
      select starts_at, kind from holding where kind = any(${FILTERING}::text[]) group by 1, 2 having count(distinct a) > ${MOST_VALUES})
    insert into report_facts (tenant_id, survey_id, starts_at, part, cell, among, holds, recorded)
    select ${tx.tenantId}, ${surveyId}, starts_at, part, cell, among, holds, recorded from (
      select starts_at, part, ${ALL} as cell, null as among, ~none as holds, recorded from whole
      union all
      select v.starts_at, w.part, jsonb_build_array('many', v.kind)::text, null, w.none, null from various v join whole w using (starts_at)
      union all
      select h.starts_at, h.part,
        case h.kind when 'answer' then jsonb_build_array(h.kind, h.a, h.b, h.c, h.d) when 'score' then jsonb_build_array(h.kind, h.a, h.b)
          when 'points' then jsonb_build_array(h.kind, h.a, h.b) else jsonb_build_array(h.kind, h.a) end::text,
        case when h.kind = 'state' then 'all' when h.kind in ('reached', 'answered') then 'counted' when h.kind = 'dropped' then 'open'
          when h.kind in ('score', 'points', 'finished', 'answer') then 'completed' end,
        h.holds, null
      from holding h where not exists (select from various v where v.starts_at = h.starts_at and v.kind = h.kind)) as made
    returning starts_at`)
}

const FILTERING = ['channel', 'language', 'agent_id', 'tag', 'quality_flag']
const STATE_CELLS = ['started', 'partial', 'completed', 'quarantined', 'deleted'].map((state) => `["state", "${state}"]`)
const STATES = [
  sql`bit_or(f.holds) filter (where f.cell = '["state", "completed"]') as completed`,
  sql`bit_or(f.holds) filter (where f.cell in ('["state", "started"]', '["state", "partial"]')) as open`,
  sql`bit_or(f.holds) filter (where f.cell in ('["state", "quarantined"]', '["state", "deleted"]')) as uncounted`,
]

function ofKind(kind: string): RawBuilder<unknown> {
  return sql`(f.cell >= ${sql.lit(`["${kind}"`)} and f.cell < ${sql.lit(`["${kind}"^`)})`
}
