import { type RawBuilder, type ReadTx, sql } from '../../../platform/database/database.ts'
import { combined, type GroupKey } from '../../../platform/database/group-keys.ts'
import { lowestIdAt } from '../../../platform/ids.ts'
import type { Cell } from './figures.ts'
import type * as query from './query.ts'
import type { Dimension } from './query.ts'

type Asked = query.Asked<RawBuilder<unknown>>

/** Messages by slot and group. */
export function countSends(tx: ReadTx, asked: Asked): Promise<Cell[]> {
  const { columns, isCounted } = SENDS[asked.measure as 'count'] ?? SENDS.count
  const { key, join } = combined(asked.dimensions.map((dimension) => keyOf(tx, dimension)))
  return tx.many(sql<Cell>`
    select width_bucket(s.created_at, ${asked.cuts}::timestamptz[]) as slot, ${key} as key, ${columns}
    from sends s ${join}
    where s.tenant_id = ${tx.tenantId} and ${withinOf('s', 'created_at', asked)} and ${isCounted} and ${asked.condition}
      ${inGroup(key, asked)}
    group by 1, 2`)
}

export interface SendSteps {
  sent: number
  delivered: number
  opened: number
  clicked: number
  started: number
  completed: number
}

/** A later step implies those before it: not every provider reports each. */
export function countSendSteps(tx: ReadTx, asked: Omit<Asked, 'measure' | 'dimensions'>): Promise<SendSteps> {
  return tx.one(sql<SendSteps>`
    select count(*)::integer as sent, (count(*) filter (where ${REACHED}))::integer as delivered,
      (count(*) filter (where coalesce(s.opened_at, s.clicked_at, s.started_at, s.completed_at) is not null))::integer as opened,
      (count(*) filter (where coalesce(s.clicked_at, s.started_at, s.completed_at) is not null))::integer as clicked,
      (count(*) filter (where coalesce(s.started_at, s.completed_at) is not null))::integer as started,
      (count(*) filter (where s.completed_at is not null))::integer as completed
    from sends s
    where s.tenant_id = ${tx.tenantId} and ${withinOf('s', 'created_at', asked)} and s.accepted_at is not null and not s.by_day and ${asked.condition}`)
}

/** Deliveries of webhooks by slot and group. */
export function countDeliveries(tx: ReadTx, asked: Asked): Promise<Cell[]> {
  const isShare = asked.measure === 'delivered_share'
  const key = columnsOf('d', asked.dimensions)
  return tx.many(sql<Cell>`
    select width_bucket(d.created_at, ${asked.cuts}::timestamptz[]) as slot, ${key} as key, count(*)::integer as n,
      ${isShare ? sql`(count(*) filter (where d.status = 'delivered'))::integer` : sql`null::integer`} as part, null::integer as score,
      null::float8 as median
    from webhook_deliveries d
    where d.tenant_id = ${tx.tenantId} and d.id >= '00000000-0000-0000-0000-000000000000' and ${withinOf('d', 'created_at', asked)}
      and not d.abandoned and ${isShare ? sql`d.status <> 'pending'` : sql`true`} and ${asked.condition} ${inGroup(key, asked)}
    group by 1, 2`)
}

/**
 * Alerts by slot and group. Those that are open now count whenever they were opened, unless `cuts` ask for a series.
 */
export function countAlerts(tx: ReadTx, asked: Asked, isSeries: boolean): Promise<Cell[]> {
  const { measure, cuts } = asked
  const key = columnsOf('a', asked.dimensions)
  const moment = sql.ref(measure === 'time_to_resolve' ? 'a.resolved_at' : 'a.opened_at')
  const isNow = measure === 'open_alerts' && !isSeries
  const median =
    measure === 'time_to_resolve'
      ? sql`(percentile_cont(0.5) within group (order by extract(epoch from a.resolved_at - a.opened_at)) / 60)::float8`
      : sql`null::float8`
  return tx.many(sql<Cell>`
    select ${isNow ? sql`${cuts.length}::integer` : sql`width_bucket(${moment}, ${cuts}::timestamptz[])`} as slot, ${key} as key,
      count(*)::integer as n, null::integer as part, null::integer as score, ${median} as median
    from alerts a
    where a.tenant_id = ${tx.tenantId} and ${ofSurveys('a', asked)} and ${asked.condition}
      and ${measure === 'open_alerts' ? sql`a.status not in ('resolved', 'closed')` : sql`true`}
      and ${isNow ? sql`true` : sql`${moment} >= ${cuts[0]} and ${moment} < ${asked.until}`} ${inGroup(key, asked)}
    group by 1, 2`)
}

const REACHED = sql`coalesce(s.delivered_at, s.opened_at, s.clicked_at, s.started_at, s.completed_at) is not null`
const NONE = sql`null::integer as score, null::float8 as median`
const SENDS = {
  count: { columns: sql`count(*)::integer as n, null::integer as part, ${NONE}`, isCounted: sql`true` },
  // Reminders belong to their invitation.
  response_rate: {
    columns: sql`count(distinct s.first_send_id)::integer as n,
      (count(distinct s.first_send_id) filter (where s.completed_at is not null))::integer as part, ${NONE}`,
    // Nobody learns who of an anonymous survey has answered.
    isCounted: sql`s.accepted_at is not null and not s.by_day`,
  },
  delivered_share: {
    columns: sql`count(*)::integer as n, (count(*) filter (where ${REACHED}))::integer as part, ${NONE}`,
    isCounted: sql`s.accepted_at is not null`,
  },
}

function keyOf(tx: ReadTx, dimension: Dimension): GroupKey {
  switch (dimension.kind) {
    case 'survey':
      return { key: sql`s.survey_id::text`, join: sql`` }
    case 'status':
    case 'channel':
    case 'language':
      return { key: sql.ref(`s.${dimension.kind}`), join: sql`` }
    case 'agent':
      return { key: sql`s.agent_id::text`, join: sql`` }
    case 'team':
      return { key: sql`g.team`, join: sql`join agents g on g.tenant_id = ${tx.tenantId} and g.id = s.agent_id` }
    default:
      return { key: sql`null::text`, join: sql`` }
  }
}

/** The key of groups that columns of the row itself make. */
function columnsOf(alias: string, dimensions: Dimension[]): RawBuilder<unknown> {
  return combined(
    dimensions.map(({ kind }) => ({
      key: sql`${sql.ref(`${alias}.${OWN_COLUMNS[kind] ?? kind}`)}::text`,
      join: sql``,
    })),
  ).key
}

const OWN_COLUMNS: Partial<Record<Dimension['kind'], string>> = {
  survey: 'survey_id',
  owner: 'owner_id',
  rule: 'rule_id',
  webhook: 'webhook_id',
}

/** Rows without a group, and those of groups that are not wanted, are in no group. */
function inGroup(key: RawBuilder<unknown>, { dimensions, keys }: Asked): RawBuilder<unknown> {
  if (dimensions.length === 0) return sql``
  return keys ? sql`and ${key} = any(${keys}::text[])` : sql`and ${key} is not null`
}

const SLACK_MS = 86_400_000

// Ids begin with their time, up to the differences between clocks. So the primary key finds the rows of a period.
function withinOf(
  alias: string,
  column: string,
  { cuts, until, surveyIds }: Pick<Asked, 'cuts' | 'until' | 'surveyIds'>,
): RawBuilder<unknown> {
  const [moment, id] = [sql.ref(`${alias}.${column}`), sql.ref(`${alias}.id`)]
  const lowest = lowestIdAt(new Date((cuts[0] ?? until).getTime() - SLACK_MS))
  return sql`${id} >= ${lowest} and ${moment} >= ${cuts[0]} and ${moment} < ${until} and ${ofSurveys(alias, { surveyIds })}`
}

function ofSurveys(alias: string, { surveyIds }: Pick<Asked, 'surveyIds'>): RawBuilder<unknown> {
  return surveyIds ? sql`${sql.ref(`${alias}.survey_id`)} = any(${surveyIds}::uuid[])` : sql`true`
}
