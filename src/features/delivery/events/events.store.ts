import { type ReadTx, sql, type TenantTx } from '../../../platform/database.ts'
import type { Id } from '../../../platform/ids.ts'

export interface EventRow {
  id: Id<'event'>
  type: string
  survey_id: Id<'survey'> | null
  data: string
  created_at: Date
}

export type NewEventRow = EventRow & { source: string }

const INSERT = `
  insert into events (tenant_id, id, type, survey_id, source, data, created_at) values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (tenant_id, source, type) where source >= '' do nothing returning id`

/** Writes an event unless its cause has made one already; false then. */
export async function insertEvent(tx: TenantTx, event: NewEventRow): Promise<boolean> {
  const rows = await tx.prepared('insert-event', INSERT, valuesOf(tx, event))
  return rows.length === 1
}

/** The same, with COMMIT: what follows it there sees by the event's id whether it was written. */
export function insertEventAtCommit(tx: TenantTx, event: NewEventRow): void {
  tx.atCommit('insert-event', INSERT, valuesOf(tx, event))
}

function valuesOf(tx: ReadTx, event: NewEventRow): unknown[] {
  return [tx.tenantId, event.id, event.type, event.survey_id, event.source, event.data, event.created_at]
}

/** Held for the transaction: retention does not remove it while deliveries of it are being enqueued. */
export function findEventOf(tx: TenantTx, source: string, type: string): Promise<EventRow | undefined> {
  return tx.maybe(sql<EventRow>`
    select id, type, survey_id, data, created_at from events where tenant_id = ${tx.tenantId} and source = ${source} and source >= '' and type = ${type} for key share`)
}

/** Takes what a respondent said out of the stored events whose source begins with `prefix`; `prefix` ends in a colon. */
export function eraseContent(tx: TenantTx, prefix: string): Promise<number> {
  // `;` is the character after `:`.
  const end = `${prefix.slice(0, -1)};`
  return tx.run(sql`
    update events set data = (data::jsonb || '{"score": null, "answers": [], "text": [], "customData": {}}'::jsonb)::text
    where tenant_id = ${tx.tenantId} and source >= ${prefix} and source < ${end} and source >= ''`)
}
