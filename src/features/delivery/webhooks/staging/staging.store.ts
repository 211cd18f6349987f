import { joinArrays, type Statement, type TenantTx } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'

export interface StagedEvent {
  id: Id<'event'>
  type: string
  surveyId: Id<'survey'> | null
  /** Its text, where it is at hand: then an engine of this process may send the rows without a claim. */
  content?: { data: string; createdAt: Date }
  /** The day that people read in place of moments, for an event of an anonymous survey. */
  day?: Date | null
}

export interface NewDelivery {
  id: Id<'delivery'>
  webhookId: Id<'webhook'>
  /** The row waits until its webhook is enabled. */
  parked: boolean
  /** The row is born under this lease, unless a webhook has changed since this revision. */
  lease: { token: string; until: Date; revision: string } | null
}

// Each statement reads its rows from a table of the tenant: a cluster then runs it on the tenant's node, in one commit.
const INSERT = `
  insert into webhook_deliveries as x
    (tenant_id, id, webhook_id, event_id, event, survey_id, status, created_at, backfill_id, by_day)
  select e.tenant_id, n.id, n.webhook_id, n.event_id, n.event, n.survey_id, 'pending', n.created_at,
    coalesce(n.backfill_id, '00000000-0000-0000-0000-000000000000'), n.by_day
  from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::uuid[], $7::timestamptz[], $8::uuid[], $9::boolean[])
    as n (id, webhook_id, event_id, event, survey_id, created_at, backfill_id, by_day)
  cross join lateral (select tenant_id from events where tenant_id = $1 and id = n.event_id offset 0) e
  on conflict (tenant_id, event_id, webhook_id, backfill_id) do nothing`

const QUEUE = `
  insert into webhook_queue as x
    (tenant_id, delivery_id, webhook_id, event_id, next_attempt_at, created_at, lease_until, lease_token)
  select d.tenant_id, d.id, d.webhook_id, d.event_id,
    case when d.id = any($3::uuid[]) then null else n.queued_at end, n.queued_at, l.until, l.token
  from unnest($2::uuid[], $8::timestamptz[]) as n (id, queued_at)
  cross join lateral (
    select tenant_id, id, webhook_id, event_id from webhook_deliveries
    where tenant_id = $1 and id = n.id offset 0) d
  left join unnest($4::uuid[], $5::timestamptz[], $6::uuid[], $7::uuid[]) as l (id, until, token, revision)
    on l.id = n.id and l.revision = (select revision from webhook_revisions where tenant_id = $1)
  returning x.delivery_id, x.lease_token is not null as leased`

/** Each row that was written, and whether it has its lease. */
export type Inserted = Map<string, boolean>

interface InsertedRow {
  delivery_id: string
  leased: boolean
}

/**
 * Writes deliveries of one event into the log. Deliveries that the log holds already are left out, and all are when
 * there is no such event.
 */
export function insertDeliveries(
  tx: TenantTx,
  event: StagedEvent,
  deliveries: NewDelivery[],
  now: Date,
  backfillId: string | null,
): Statement {
  const values = [
    tx.tenantId,
    idsOf(deliveries),
    deliveries.map((delivery) => delivery.webhookId),
    deliveries.map(() => event.id),
    deliveries.map(() => event.type),
    deliveries.map(() => event.surveyId),
    deliveries.map(() => event.day ?? now),
    deliveries.map(() => backfillId),
    deliveries.map(() => Boolean(event.day)),
  ]
  return { name: 'insert-deliveries', text: INSERT, values, combine: joinArrays }
}

/** Queues the deliveries that `insertDeliveries` has written, in the same transaction. */
export function queueDeliveries(tx: TenantTx, deliveries: NewDelivery[], now: Date): Statement<InsertedRow> {
  const leased = deliveries.flatMap(({ id, lease }) => (lease ? [{ id, ...lease }] : []))
  const values = [
    tx.tenantId,
    idsOf(deliveries),
    idsOf(deliveries.filter((delivery) => delivery.parked)),
    leased.map(({ id }) => id),
    leased.map(({ until }) => until),
    leased.map(({ token }) => token),
    leased.map(({ revision }) => revision),
    deliveries.map(() => now),
  ]
  return { name: 'queue-deliveries', text: QUEUE, values, combine: joinArrays }
}

export function leasesOf(rows: InsertedRow[]): Inserted {
  return new Map(rows.map((row) => [row.delivery_id, row.leased]))
}

/**
 * Notes the deliveries below the seal of the log's counts. It runs with COMMIT, after the write, because only
 * then it sees a seal that the write came too late for. Without a seal, the usual case, it looks up no delivery.
 */
export function insertArrivals(tx: TenantTx, ids: string[]): Statement {
  return {
    name: 'insert-ledger-arrivals',
    text: `insert into webhook_ledger_changes as x (tenant_id, delivery_id, change, webhook_id, event, survey_id, created_at)
     select d.tenant_id, d.id, 1, d.webhook_id, d.event, d.survey_id, d.created_at
     from webhook_ledgers l join unnest($2::uuid[]) as given (id) on given.id < l.sealed_id
     cross join lateral (
       select tenant_id, id, webhook_id, event, survey_id, created_at from webhook_deliveries
       where tenant_id = $1 and id = given.id offset 0) d
     where l.tenant_id = $1`,
    values: [tx.tenantId, ids],
    combine: joinArrays,
  }
}

function idsOf(deliveries: NewDelivery[]): Id<'delivery'>[] {
  return deliveries.map((delivery) => delivery.id)
}
