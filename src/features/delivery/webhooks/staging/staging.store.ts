import { type ReadTx, type TenantTx, joinArrays } from '../../../../platform/database.ts'
import type { Id } from '../../../../platform/ids.ts'

export interface StagedEvent {
  id: Id<'event'>
  type: string
  surveyId: Id<'survey'> | null
  /** Its text, where it is at hand: then an engine of this process may send the rows without a claim. */
  content?: { data: string; createdAt: Date }
}

export interface NewDelivery {
  id: Id<'delivery'>
  webhookId: Id<'webhook'>
  /** The row waits until its webhook is enabled. */
  parked: boolean
  /** The row is born under this lease, unless a webhook has changed since this revision. */
  lease: { token: string; until: Date; revision: string } | null
}

const INSERT = `
  with inserted as (
    insert into webhook_deliveries
      (tenant_id, id, webhook_id, event_id, event, survey_id, status, created_at, backfill_id)
    select $1, n.id, n.webhook_id, n.event_id, n.event, n.survey_id, 'pending', n.created_at,
      coalesce(n.backfill_id, '00000000-0000-0000-0000-000000000000')
    from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::uuid[], $7::timestamptz[], $8::uuid[])
      as n (id, webhook_id, event_id, event, survey_id, created_at, backfill_id)
    cross join lateral (select from events where tenant_id = $1 and id = n.event_id offset 0) written
    on conflict (tenant_id, event_id, webhook_id, backfill_id) do nothing
    returning id, webhook_id, event_id, created_at)
  insert into webhook_queue
    (tenant_id, delivery_id, webhook_id, event_id, next_attempt_at, created_at, lease_until, lease_token)
  select $1, i.id, i.webhook_id, i.event_id, case when i.id = any($9::uuid[]) then null else i.created_at end,
    i.created_at, l.until, l.token
  from inserted i
  left join unnest($10::uuid[], $11::timestamptz[], $12::uuid[], $13::uuid[]) as l (id, until, token, revision)
    on l.id = i.id and l.revision = (select revision from webhook_revisions where tenant_id = $1)
  returning delivery_id, lease_token is not null as leased`

/** Of each row that was written, whether it has its lease. */
export type Inserted = Map<string, boolean>

interface InsertedRow {
  delivery_id: string
  leased: boolean
}

/**
 * Writes deliveries of one event into the log and the queue. Deliveries that the log holds already are left out, and
 * all are when there is no such event.
 */
export async function insertDeliveries(
  tx: TenantTx,
  event: StagedEvent,
  deliveries: NewDelivery[],
  now: Date,
  backfillId: string | null = null,
): Promise<Inserted> {
  const values = valuesOf(tx, event, deliveries, now, backfillId)
  return leasesOf(await tx.prepared<InsertedRow>('insert-deliveries', INSERT, values))
}

/** The same with COMMIT. Nothing is written of an event that was not written, because its cause had one already. */
export function insertDeliveriesAtCommit(
  tx: TenantTx,
  event: StagedEvent,
  deliveries: NewDelivery[],
  now: Date,
  onInserted: (inserted: Inserted) => void,
): void {
  tx.atCommit<InsertedRow>('insert-deliveries', INSERT, valuesOf(tx, event, deliveries, now, null), {
    rows: (rows) => onInserted(leasesOf(rows)),
    combine: joinArrays,
  })
}

/**
 * Notes with COMMIT the deliveries below the seal of the log's counts. The statement follows the write, because only
 * then it sees a seal that the write came too late for. Without a seal, the usual case, it looks up no delivery.
 */
export function insertArrivals(tx: TenantTx, ids: string[]): void {
  tx.atCommit(
    'insert-ledger-arrivals',
    `insert into webhook_ledger_changes (tenant_id, delivery_id, change, webhook_id, event, survey_id, created_at)
     select d.tenant_id, d.id, 1, d.webhook_id, d.event, d.survey_id, d.created_at
     from webhook_ledgers l join unnest($2::uuid[]) as given (id) on given.id < l.sealed_id
     cross join lateral (
       select tenant_id, id, webhook_id, event, survey_id, created_at from webhook_deliveries
       where tenant_id = $1 and id = given.id offset 0) d
     where l.tenant_id = $1
     returning delivery_id`,
    [tx.tenantId, ids],
    { combine: joinArrays },
  )
}

function leasesOf(rows: InsertedRow[]): Inserted {
  return new Map(rows.map((row) => [row.delivery_id, row.leased]))
}

function valuesOf(
  tx: ReadTx,
  event: StagedEvent,
  deliveries: NewDelivery[],
  now: Date,
  backfillId: string | null,
): unknown[] {
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
