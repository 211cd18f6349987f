import { type RawBuilder, type ReadTx, sql } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'
import type { Metric } from '../../../../survey-engine/model/definition.ts'
import { OPEN_STATES, UNCOUNTED_STATES, type ResponseState } from '../../rows/response-state.ts'
import type { Segment } from './fact-cover.ts'
import { ALL, PART, type Bits, type FactFilter } from './fact-filter.ts'
import type { CellCount } from '../cells/report-cells.ts'
import { BLOCK, TRIGRAMS } from './trigrams.ts'

/**
 * Which responses pass: by facts, or by a condition on each response `r` of days that have not changed since. Those
 * that pass the condition have texts with these trigrams.
 */
export type FactCondition = FactFilter | { scan: RawBuilder<unknown>; trigrams: number[] }

export interface FactCount {
  surveyId: Id<'survey'>
  condition: FactCondition
  segments: Segment[]
  /** Slots before this one only have states and scores. */
  wholeFrom: number
  /** Slots of their own, which only have states and points. */
  trendSegments: Segment[]
}

export interface FactCell extends CellCount {
  slot: number
  is_trend: boolean
}

/** Counts the responses that pass a condition, by slot and cell. */
export function countFacts(
  tx: ReadTx,
  { surveyId, condition, segments, wholeFrom, trendSegments }: FactCount,
): Promise<FactCell[]> {
  const placed = [
    ...segments.map((segment) => ({ ...segment, isTrend: false })),
    ...trendSegments.map((segment) => ({ ...segment, isTrend: true })),
  ]
  if (placed.length === 0) return Promise.resolve([])
  return tx.many(sql<FactCell>`
    with ${masks(tx, surveyId, condition, placed)}
    select m.slot, m.is_trend, f.cell,
      sum(bit_count(f.holds & case f.among when 'completed' then m.completed when 'counted' then m.counted when 'open' then m.open else m.holds end))::int as n
    from report_facts f join m on m.starts_at = f.starts_at and m.part = f.part
    where ${ofSurvey(tx, surveyId, placed)} and f.among is not null and case
      when ${ofKind(sql`f.cell`, '["state"')} then true
      when ${ofKind(sql`f.cell`, '["points"')} then m.is_trend
      when ${ofKind(sql`f.cell`, '["score"')} then not m.is_trend
      else m.slot >= ${wholeFrom} and not m.is_trend end
    group by 1, 2, 3`)
}

export interface GroupCount {
  surveyId: Id<'survey'>
  condition: FactCondition
  segments: Segment[]
  /** The kind of fact to group by, such as `channel`. */
  kind: string | null
  /** The groups that are wanted. Absent: all. */
  keys?: string[] | undefined
  /** Whose scores to count. */
  metric: Metric | null
}

export interface GroupCell {
  slot: number
  /** The fact, and the points of a score. */
  cell: string
  points: string | null
  /** Responses that reports count, or of a score completed ones. */
  n: number
  completed: number
}

/** Counts the responses that pass a condition by slot and one kind of fact. */
export function countGroups(
  tx: ReadTx,
  { surveyId, condition, segments, kind, keys, metric }: GroupCount,
): Promise<GroupCell[]> {
  const placed = segments.map((segment) => ({ ...segment, isTrend: false }))
  if (placed.length === 0) return Promise.resolve([])
  const scored = metric
    ? sql`join report_facts p on p.tenant_id = ${tx.tenantId} and p.survey_id = ${surveyId} and p.starts_at = m.starts_at and p.part = m.part
        and ${ofKind(sql`p.cell`, `["points", "${metric}"`)}`
    : sql``
  const bits = metric ? sql`f.holds & m.completed & p.holds` : sql`f.holds & m.counted`
  const wanted = keys
    ? sql`and f.cell in (select jsonb_build_array(${kind}::text, key)::text from unnest(${keys}::text[]) as key)`
    : sql``
  return tx.many(sql<GroupCell>`
    with ${masks(tx, surveyId, condition, placed)}
    select m.slot, f.cell, ${metric ? sql`p.cell` : sql`null::text`} as points, sum(bit_count(${bits}))::int as n, sum(bit_count(f.holds & m.completed))::int as completed
    from report_facts f join m on m.starts_at = f.starts_at and m.part = f.part ${scored}
    where ${ofSurvey(tx, surveyId, placed)} and ${kind === null ? sql`f.cell = ${ALL}` : ofKind(sql`f.cell`, `["${kind}"`)} ${wanted}
    group by 1, 2, 3 having sum(bit_count(${bits})) > 0`)
}

/** A block of responses of a survey. Times and ids: the first and the last one. */
export interface Block {
  survey_id: Id<'survey'>
  recorded: [Date, Date]
  ids: [string, string]
}

/**
 * Blocks of these surveys in which a response passes, those with the highest ids first. They are in days that facts
 * know.
 * @param trigrams of a text that one of its responses has.
 * @param beyond ids that the page before ended with, and in which direction it goes on.
 */
export function listBlocksPassing(
  tx: ReadTx,
  surveyIds: Id<'survey'>[],
  condition: FactFilter,
  { trigrams, beyond, limit }: { trigrams: number[]; beyond: Beyond | null; limit: number },
): Promise<Block[]> {
  const { tests, bits } = testing(condition)
  const ofSurveys = sql`f.tenant_id = ${tx.tenantId} and f.survey_id = any(${surveyIds}::uuid[])`
  const columns = sql.join([sql`f.survey_id, f.starts_at, f.part`, ...tests.columns])
  return tx.many(sql<Block>`
    with whole as materialized (
      select f.survey_id, f.starts_at, f.part, f.holds from report_facts f where ${ofSurveys} and f.cell = ${ALL}),
    tested as materialized (
      select ${columns} from report_facts f where ${ofSurveys} and f.cell = any(${tests.cells}::text[]) group by 1, 2, 3),
    passing as materialized (
      select w.survey_id, w.starts_at, w.part, ${bits} as bits from whole w left join tested t using (survey_id, starts_at, part))
    select p.survey_id, f.recorded, f.ids::text[] as ids
    from passing p cross join lateral (
      select f.part, f.recorded, f.ids from report_facts f
      where f.tenant_id = ${tx.tenantId} and f.survey_id = p.survey_id and f.cell = ${TRIGRAMS} and f.starts_at = p.starts_at
        and f.part >= p.part * ${BLOCKS}::int and f.part < (p.part + 1) * ${BLOCKS}::int
        and cardinality(f.ids) = 2 and ${lacks(trigrams)} is not true offset 0) as f
    where bit_count(p.bits) > 0 and bit_count(substring(p.bits from f.part % ${BLOCKS}::int * ${BLOCK}::int + 1 for ${BLOCK}::int)) > 0
      and ${beyond ? (beyond.order === 'desc' ? sql`f.ids[1] <= ${beyond.id}::uuid` : sql`f.ids[2] >= ${beyond.id}::uuid`) : sql`true`}
    order by f.ids[2] desc limit ${limit}`)
}

/** An id that the page before ended with, and the order of the list. */
export interface Beyond {
  id: string
  order: 'asc' | 'desc'
}

/** Spans of days of these surveys whose blocks are known, in order. */
export function listKnownSpans(
  tx: ReadTx,
  surveyIds: Id<'survey'>[],
): Promise<Array<{ survey_id: Id<'survey'>; since: Date; until: Date }>> {
  return tx.many(sql<{ survey_id: Id<'survey'>; since: Date; until: Date }>`
    select survey_id, min(starts_at) as since, max(starts_at) + interval '1 day' as until from (
      select survey_id, starts_at, starts_at - interval '1 day' * row_number() over (partition by survey_id order by starts_at) as run
      from report_facts
      where tenant_id = ${tx.tenantId} and survey_id = any(${surveyIds}::uuid[]) and cell = ${TRIGRAMS} and part = 0 and ids is not null) as day
    group by survey_id, run order by 1, 2`)
}

type Placed = Segment & { isTrend: boolean }

/** Common table expressions that end with `m`: which responses of a part pass in a slot, and which of them count. */
function masks(tx: ReadTx, surveyId: Id<'survey'>, condition: FactCondition, placed: Placed[]): RawBuilder<unknown> {
  const days = [...new Set(placed.map(({ day }) => day.getTime()))].map((day) => new Date(day))
  const { tests, bits, scanned } = 'scan' in condition ? scanning(tx, surveyId, condition, days) : testing(condition)
  return sql`whole as materialized (
      select f.starts_at, f.part, f.holds, f.recorded from report_facts f
      where ${ofSurvey(tx, surveyId, placed)} and f.cell = ${ALL} and f.starts_at = any(${days}::timestamptz[])),
    tested as materialized (
      select f.starts_at, f.part, ${sql.join([...tests.columns, ...STATE_BITS])}
      from report_facts f where ${ofSurvey(tx, surveyId, placed)} and f.cell = any(${[...tests.cells, ...STATE_CELLS]}::text[]) group by 1, 2),
    passing as materialized (
      select w.starts_at, w.part, w.recorded, length(w.holds) as n, coalesce(t.completed, ~w.holds) as completed, coalesce(t.open, ~w.holds) as open,
        w.holds & ~coalesce(t.uncounted, ~w.holds) as counted, ${bits} as holds
      from whole w left join tested t using (starts_at, part) ${scanned}),
    placed as (
      select p.*, s.slot, s.is_trend,
        case when s.since <= s.day then 0 else width_bucket(s.since - interval '1 microsecond', p.recorded) end as low,
        case when s.until >= s.day + interval '1 day' then n else width_bucket(s.until - interval '1 microsecond', p.recorded) end as high
      from unnest(${placed.map(({ day }) => day)}::timestamptz[], ${placed.map(({ since }) => since)}::timestamptz[],
        ${placed.map(({ until }) => until)}::timestamptz[], ${placed.map(({ slot }) => slot)}::int[],
        ${placed.map(({ isTrend }) => isTrend)}::boolean[]) as s (day, since, until, slot, is_trend)
      join passing p on p.starts_at = s.day offset 0),
    m as materialized (
      select starts_at, part, slot, is_trend, one.holds, one.holds & completed as completed, one.holds & open as open, one.holds & counted as counted
      from placed cross join lateral (select case when low = 0 and high = n then placed.holds
        else placed.holds & (repeat('0', low) || repeat('1', high - low) || repeat('0', n - high))::varbit end as holds offset 0) as one
      where high > low and bit_count(one.holds) > 0)`
}

interface Condition {
  tests: { cells: string[]; columns: RawBuilder<unknown>[] }
  bits: RawBuilder<unknown>
  /** Joined to each part. */
  scanned: RawBuilder<unknown>
}

function testing({ tests, bits }: FactFilter): Condition {
  const columns = tests.map(
    (passing, index) => sql`bit_or(f.holds) filter (where f.cell = any(${passing}::text[])) as ${sql.ref(`t${index}`)}`,
  )
  return { tests: { cells: [...new Set(tests.flat())], columns }, bits: bitsOf(bits), scanned: sql`` }
}

function bitsOf(bits: Bits): RawBuilder<unknown> {
  if (bits === 'all') return sql`w.holds`
  if (bits === 'none') return sql`~w.holds`
  if ('test' in bits) return sql`coalesce(${sql.ref(`t${bits.test}`)}, ~w.holds)`
  if ('not' in bits) return sql`~${bitsOf(bits.not)}`
  return 'and' in bits
    ? sql`(${sql.join(bits.and.map(bitsOf), sql` & `)})`
    : sql`(${sql.join(bits.or.map(bitsOf), sql` | `)})`
}

/** Whether the texts of a fact `f` lack one of these trigrams. Unknown if there is no such fact. */
function lacks(trigrams: number[]): RawBuilder<unknown> {
  const missing = trigrams.map((bit) => sql`get_bit(f.holds, ${bit}::int) = 0`)
  return missing.length > 0 ? sql`(${sql.join(missing, sql` or `)})` : sql`false`
}

/** Reads the responses of each day in the order of their bits, where its texts may pass. */
function scanning(
  tx: ReadTx,
  surveyId: Id<'survey'>,
  { scan, trigrams }: { scan: RawBuilder<unknown>; trigrams: number[] },
  days: Date[],
): Condition {
  // Each day is sorted on its own, because a sort of all responses would spill to disk.
  const scanned = sql`join (
      select day.starts_at, made.bits from (
        select day.starts_at from unnest(${days}::timestamptz[]) as day (starts_at)
        left join report_facts f on f.tenant_id = ${tx.tenantId} and f.survey_id = ${surveyId} and f.cell = ${TRIGRAMS} and f.starts_at = day.starts_at and f.ids is not null
        group by 1 having bool_or(${lacks(trigrams)} is not true)) as day cross join lateral (
        select string_agg(case when ${scan} then '1' else '0' end, '' order by r.recorded_at, r.id)::varbit as bits from responses r
        where r.tenant_id = ${tx.tenantId} and r.survey_id = ${surveyId} and r.recorded_at >= '-infinity' and r.recorded_at >= day.starts_at
          and r.recorded_at < day.starts_at + interval '1 day' and r.anonymity is null offset 0) as made) as scanned using (starts_at)`
  const bits = sql`substring(scanned.bits from ${PART}::int * part + 1 for length(w.holds))`
  return { tests: { cells: [], columns: [] }, bits, scanned }
}

/** Blocks of a part. */
const BLOCKS = PART / BLOCK

const STATES = Object.entries({
  completed: ['completed'],
  open: OPEN_STATES,
  uncounted: UNCOUNTED_STATES,
} satisfies Record<string, readonly ResponseState[]>).map(([name, states]) => ({
  name,
  cells: states.map((state) => `["state", "${state}"]`),
}))
const STATE_CELLS = STATES.flatMap(({ cells }) => cells)
const STATE_BITS = STATES.map(
  ({ name, cells }) =>
    sql`bit_or(f.holds) filter (where f.cell in (${sql.join(cells.map((cell) => sql.lit(cell)))})) as ${sql.ref(name)}`,
)

function ofSurvey(tx: ReadTx, surveyId: Id<'survey'>, placed: Placed[]): RawBuilder<unknown> {
  const days = placed.map(({ day }) => day.getTime())
  const [first, last] = [days.reduce((a, b) => Math.min(a, b)), days.reduce((a, b) => Math.max(a, b))]
  return sql`f.tenant_id = ${tx.tenantId} and f.survey_id = ${surveyId} and f.starts_at >= ${new Date(first)} and f.starts_at <= ${new Date(last)}`
}

/** Cells that begin with these characters. After them comes `,` or `]`, which are below `^`. */
function ofKind(cell: RawBuilder<unknown>, start: string): RawBuilder<unknown> {
  return sql`(${cell} >= ${sql.lit(start)} and ${cell} < ${sql.lit(`${start}^`)})`
}
