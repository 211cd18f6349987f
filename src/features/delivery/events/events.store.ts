import { type ReadTx, sql, type Statement, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import { ERASED } from './erased-content.ts'

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

/** Inserts an event. Returns no row if its cause already has one. */
export function insertEvent(tx: TenantTx, event: NewEventRow): Statement<{ id: Id<'event'> }> {
  const { id, type, survey_id, source, data, created_at } = event
  return { name: 'insert-event', text: INSERT, values: [tx.tenantId, id, type, survey_id, source, data, created_at] }
}

/** Locks the event, so that retention does not remove it while deliveries are enqueued. */
export function findEventOf(tx: TenantTx, source: string, type: string): Promise<EventRow | undefined> {
  return tx.maybe(sql<EventRow>`
    select id, type, survey_id, data, created_at from events where tenant_id = ${tx.tenantId} and source = ${source} and source >= '' and type = ${type} for key share`)
}

/** The content of some events. */
export function listContents(
  tx: ReadTx,
  ids: Id<'event'>[],
): Promise<Array<{ id: Id<'event'>; type: string; data: string }>> {
  return tx.many(sql<{ id: Id<'event'>; type: string; data: string }>`
    select id, type, data from events where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}

/** Removes respondents' words from stored events whose source begins with `prefix`, which ends in a colon. */
export async function eraseContent(tx: TenantTx, prefix: string): Promise<Id<'event'>[]> {
  // `;` is the character after `:`.
  const end = `${prefix.slice(0, -1)};`
  const rows = await tx.many(sql<{ id: Id<'event'> }>`
    update events set data = ${sql.raw(ERASED)}::text
    where tenant_id = ${tx.tenantId} and source >= ${prefix} and source < ${end} and source >= '' returning id`)
  return rows.map(({ id }) => id)
}
