import { joinArrays, type RawBuilder, type ReadTx, sql, type SystemTx, type TenantTx } from '../../../platform/database.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'
import { ANY_ID } from './delivery-filter.ts'

export interface DeliveredEvent {
  id: Id<'event'>
  type: string
  surveyId: Id<'survey'> | null
  /** What is told, where it is at hand: then an engine of this process may send the rows without a claim. */
  content?: { data: string; createdAt: Date }
}

export interface NewDelivery {
  id: Id<'delivery'>
  webhookId: Id<'webhook'>
  /** The row waits until its webhook is enabled. */
  parked: boolean
  /** The row is stored with this lease, and nobody has to claim it, unless its webhook has changed since this revision. */
  lease: { token: string; until: Date; revision: string } | null
}

const INSERT = `
  with inserted as (
    insert into webhook_deliveries (tenant_id, id, webhook_id, event_id, event, survey_id, status, created_at, backfill_id)
    select $1, n.id, n.webhook_id, n.event_id, n.event, n.survey_id, 'pending', n.created_at, coalesce(n.backfill_id, '00000000-0000-0000-0000-000000000000')
    from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::uuid[], $7::timestamptz[], $8::uuid[])
      as n (id, webhook_id, event_id, event, survey_id, created_at, backfill_id)
    cross join lateral (select from events where tenant_id = $1 and id = n.event_id offset 0) written
    on conflict (tenant_id, event_id, webhook_id, backfill_id) do nothing
    returning id, webhook_id, event_id, created_at)
  insert into webhook_queue (tenant_id, delivery_id, webhook_id, event_id, next_attempt_at, created_at, lease_until, lease_token)
  select $1, i.id, i.webhook_id, i.event_id, case when i.id = any($9::uuid[]) then null else i.created_at end, i.created_at, l.until, l.token
  from inserted i left join unnest($10::uuid[], $11::timestamptz[], $12::uuid[], $13::uuid[]) as l (id, until, token, revision)
    on l.id = i.id and l.revision = (select revision from webhook_revisions where tenant_id = $1)
  returning delivery_id, lease_token is not null as leased`

/**
 * Writes rows of one event into the ledger, each with its job. Returns their ids, and whether each has its lease; those that the
 * ledger holds already are left out, and all of them when there is no such event.
 */
export async function insertDeliveries(
  tx: TenantTx,
  event: DeliveredEvent,
  deliveries: NewDelivery[],
  now: Date,
  backfillId: string | null = null,
): Promise<Inserted> {
  return leasesOf(await tx.prepared<InsertedRow>('insert-deliveries', INSERT, valuesOf(tx, event, deliveries, now, backfillId)))
}

/** The same, with COMMIT: nothing is written of an event that was not, because its cause had one already. */
export function insertDeliveriesAtCommit(
  tx: TenantTx,
  event: DeliveredEvent,
  deliveries: NewDelivery[],
  now: Date,
  onInserted: (inserted: Inserted) => void,
): void {
  tx.atCommit<InsertedRow>('insert-deliveries', INSERT, valuesOf(tx, event, deliveries, now, null), {
    rows: (rows) => onInserted(leasesOf(rows)),
    combine: joinArrays,
  })
}

/** Of each row that was written, whether it has its lease. */
export type Inserted = Map<string, boolean>

interface InsertedRow {
  delivery_id: string
  leased: boolean
}

function leasesOf(rows: InsertedRow[]): Inserted {
  return new Map(rows.map((row) => [row.delivery_id, row.leased]))
}

function valuesOf(tx: ReadTx, event: DeliveredEvent, deliveries: NewDelivery[], now: Date, backfillId: string | null): unknown[] {
  return [
    tx.tenantId,
    deliveries.map((delivery) => delivery.id),
    deliveries.map((delivery) => delivery.webhookId),
    deliveries.map(() => event.id),
    deliveries.map(() => event.type),
    deliveries.map(() => event.surveyId),
    deliveries.map(() => now),
    deliveries.map(() => backfillId),
    deliveries.filter((delivery) => delivery.parked).map((delivery) => delivery.id),
    deliveries.flatMap(({ id, lease }) => (lease ? [id] : [])),
    deliveries.flatMap(({ lease }) => (lease ? [lease.until] : [])),
    deliveries.flatMap(({ lease }) => (lease ? [lease.token] : [])),
    deliveries.flatMap(({ lease }) => (lease ? [lease.revision] : [])),
  ]
}

/** Ends what a deleted webhook left unfinished. */
export function failUnfinished(tx: TenantTx, webhookId: Id<'webhook'>, error: string): Promise<number> {
  return tx.run(sql`
    with ended as (
      delete from webhook_queue where tenant_id = ${tx.tenantId} and delivery_id = any(array(${lockedJobs(tx, webhookId, sql`true`)})) returning delivery_id)
    update webhook_deliveries set status = 'failed', abandoned = true, last_error = ${error}
    where tenant_id = ${tx.tenantId} and id = any(array(select delivery_id from ended))`)
}

/** Lets a disabled webhook's jobs wait; they keep their state, and a request in flight is still recorded. */
export function parkUnfinished(tx: TenantTx, webhookId: Id<'webhook'>): Promise<number> {
  return tx.run(sql`
    update webhook_queue set next_attempt_at = null
    where tenant_id = ${tx.tenantId} and delivery_id = any(array(${lockedJobs(tx, webhookId, sql`next_attempt_at is not null`)}))`)
}

export function unparkUnfinished(tx: TenantTx, webhookId: Id<'webhook'>, now: Date): Promise<number> {
  return tx.run(sql`
    update webhook_queue set next_attempt_at = ${now}
    where tenant_id = ${tx.tenantId} and delivery_id = any(array(${lockedJobs(tx, webhookId, sql`next_attempt_at is null`)}))`)
}

// In the order of their ids, as recording locks them.
function lockedJobs(tx: TenantTx, webhookId: Id<'webhook'>, which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select delivery_id from webhook_queue where tenant_id = ${tx.tenantId} and webhook_id = ${webhookId} and ${which} order by delivery_id for update`
}

export interface DueEndpoint {
  tenant_id: TenantId
  webhook_id: Id<'webhook'>
  next_attempt_at: Date
}

/** Every endpoint with something queued and when its earliest row is due: a loose scan of `webhook_queue_due`, without locks. */
export function listDueEndpoints(tx: SystemTx): Promise<DueEndpoint[]> {
  return tx.many(sql<DueEndpoint>`
    with recursive endpoint as (
      (select tenant_id, webhook_id, next_attempt_at from webhook_queue order by webhook_id, tenant_id, next_attempt_at limit 1)
      union all
      select n.tenant_id, n.webhook_id, n.next_attempt_at from endpoint p cross join lateral (
        select tenant_id, webhook_id, next_attempt_at from webhook_queue q
        where (q.webhook_id, q.tenant_id) > (p.webhook_id, p.tenant_id)
        order by q.webhook_id, q.tenant_id, q.next_attempt_at limit 1) n)
    select tenant_id, webhook_id, next_attempt_at from endpoint where next_attempt_at is not null`)
}

export interface QueueDepth {
  depth: number
  oldest_at: Date | null
}

/** What waits for an attempt; rows of disabled webhooks do not. */
export function readQueueDepth(tx: ReadTx): Promise<QueueDepth> {
  return tx.one(sql<QueueDepth>`
    select count(*) as depth, min(created_at) as oldest_at from webhook_queue
    where tenant_id = ${tx.tenantId} and delivery_id >= ${ANY_ID} and next_attempt_at is not null`)
}
