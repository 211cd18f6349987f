import { type RawBuilder, type ReadTx, sql } from '../../../platform/database/database.ts'
import { combined, type GroupKey } from '../../../platform/database/group-keys.ts'
import { SCALARS } from '../../../platform/filter/compile.ts'
import type { Id } from '../../../platform/ids.ts'
import { isWhole } from '../../../platform/anonymity-threshold.ts'
import type { Cell } from './figures.ts'
import type * as query from './query.ts'
import type { Dimension } from './query.ts'
import type { Metric } from '../../../survey-engine/model/definition.ts'

export type Asked = query.Asked<RawBuilder<unknown>>

/** Pieces of the past of surveys. */
export type Pieces = Array<{ surveyId: Id<'survey'>; since: Date; until: Date }>

/** More groups than anybody reads. The others count in the total alone. */
const MOST_GROUPS = 1_000

/**
 * Counts responses by slot and group, of these pieces alone if there are some. Without pieces, groups that are neither
 * wanted nor among the largest count under the key null.
 */
export function countResponses(tx: ReadTx, asked: Asked, pieces?: Pieces): Promise<Cell[]> {
  if (pieces?.length === 0) return Promise.resolve([])
  const { dimensions, keys, cuts, measure } = asked
  const { key, join } = combined(dimensions.map((dimension, index) => keyOf(tx, dimension, index)))
  const slot = sql`width_bucket(r.recorded_at, ${cuts}::timestamptz[])`
  const { columns, isCounted, groups } = FIGURES[measure as 'count'] ?? COUNT
  const counted = sql`
    select ${slot} as slot, ${key} as key, ${columns}
    from ${pieces ? ofPieces(tx, pieces) : sql`responses`} r ${join}
    where r.tenant_id = ${tx.tenantId} and r.recorded_at <= 'infinity' and r.recorded_at >= ${cuts[0]} and r.recorded_at < ${asked.until}
      and ${asked.surveyIds ? sql`r.survey_id = any(${asked.surveyIds}::uuid[])` : sql`true`}
      and ${isCounted} and ${asked.condition} ${dimensions.length > 0 ? sql`and ${key} is not null` : sql``}
    group by 1, 2 ${groups}`
  if (dimensions.length === 0 || (pieces && !keys)) return tx.many(sql<Cell>`${counted}`)
  return tx.many(sql<Cell>`
    with counted as materialized (${counted}),
    shown as materialized (${keys ? sql`select unnest(${keys}::text[]) as key` : sql`select key from counted group by key order by sum(n) desc, key limit ${MOST_GROUPS}`})
    select slot, key, n, part, score, median from counted join shown using (key)
    union all
    select slot, null, sum(n)::integer, sum(part)::integer, score, null from counted
    where key not in (select key from shown) group by slot, score`)
}

/** Ends each statement from now on that takes longer. */
export async function limitTime(tx: ReadTx, mostMs: number): Promise<void> {
  await tx.one(sql`select set_config('statement_timeout', ${String(mostMs)}, true)`)
}

/** Marks the place to which `forgetQuery` goes back after a statement that took too long. */
export async function markQuery(tx: ReadTx): Promise<void> {
  await tx.many(sql`savepoint query`)
}

export async function forgetQuery(tx: ReadTx): Promise<void> {
  await tx.many(sql`rollback to savepoint query`)
}

/** How many responses began, were completed, and had each outcome between. */
export function countSteps(
  tx: ReadTx,
  asked: Omit<Asked, 'measure' | 'dimensions'>,
): Promise<{ started: number; completed: number }> {
  return tx.one(sql<{ started: number; completed: number }>`
    select count(*)::integer as started, (count(*) filter (where r.state = 'completed'))::integer as completed from responses r
    where r.tenant_id = ${tx.tenantId} and r.recorded_at <= 'infinity' and r.recorded_at >= ${asked.cuts[0]} and r.recorded_at < ${asked.until}
      and ${asked.surveyIds ? sql`r.survey_id = any(${asked.surveyIds}::uuid[])` : sql`true`} and ${BEGUN} and ${asked.condition}`)
}

function ofPieces(tx: ReadTx, pieces: Pieces): RawBuilder<unknown> {
  return sql`(select r.* from unnest(${pieces.map(({ surveyId }) => surveyId)}::uuid[], ${pieces.map(({ since }) => since)}::timestamptz[],
    ${pieces.map(({ until }) => until)}::timestamptz[]) as piece (survey_id, since, until) cross join lateral (
    select * from responses
    where tenant_id = ${tx.tenantId} and survey_id = piece.survey_id and recorded_at >= '-infinity' and recorded_at >= piece.since
      and recorded_at < piece.until offset 0) as r)`
}

const BEGUN = sql`r.state not in ('quarantined', 'deleted') and ${isWhole('r')}`
const COUNT = {
  columns: sql`count(*)::integer as n, null::integer as part, null::integer as score, null::float8 as median`,
  isCounted: BEGUN,
  groups: sql``,
}
const FIGURES = {
  count: COUNT,
  nps: scoresOf('nps'),
  csat: scoresOf('csat'),
  ces: scoresOf('ces'),
  completion_rate: {
    columns: sql`count(*)::integer as n, (count(*) filter (where r.state = 'completed'))::integer as part, null::integer as score, null::float8 as median`,
    isCounted: BEGUN,
    groups: sql``,
  },
  median_duration: {
    columns: sql`count(*)::integer as n, null::integer as part, null::integer as score,
      percentile_cont(0.5) within group (order by r.duration_ms)::float8 as median`,
    isCounted: sql`r.state = 'completed' and r.duration_ms is not null`,
    groups: sql``,
  },
}

function scoresOf(metric: Metric) {
  return {
    columns: sql`count(*)::integer as n, null::integer as part, r.score, null::float8 as median`,
    isCounted: sql`r.state = 'completed' and r.metric = ${sql.lit(metric)} and r.score is not null`,
    groups: sql`, r.score`,
  }
}

/** A response with several tags, choices or added groups counts in each of their groups, and once in each. */
function keyOf(tx: ReadTx, dimension: Dimension, index: number): GroupKey {
  const grouped = sql.ref(`grouped${index}`)
  const ofLateral = (rows: RawBuilder<unknown>) => ({
    key: sql`${grouped}.key`,
    join: sql`cross join lateral (select distinct found.key from (${rows}) found offset 0) ${grouped}`,
  })
  switch (dimension.kind) {
    case 'survey':
      return { key: sql`r.survey_id::text`, join: sql`` }
    case 'agent':
      return { key: sql`r.agent_id::text`, join: sql`` }
    case 'team':
      return { key: sql`a.team`, join: sql`join agents a on a.tenant_id = ${tx.tenantId} and a.id = r.agent_id` }
    case 'tag':
      return ofLateral(sql`select unnest(r.tags) as key`)
    case 'added':
      return ofLateral(dimension.group.keys(tx, sql`r.id`))
    case 'custom':
      return { key: sql`left(r.custom_data ->> ${dimension.name}::text, 200)`, join: sql`` }
    case 'answer':
      return ofLateral(sql`
        select left(single.value #>> '{}', 200) as key from jsonb_array_elements(r.answers) as given (item)
        cross join lateral jsonb_path_query(given.item -> 'value', ${sql.lit(SCALARS)}) as single (value)
        where given.item ->> 'question_id' = ${dimension.question}::text`)
    default:
      return { key: sql.ref(`r.${dimension.kind}`), join: sql`` }
  }
}
