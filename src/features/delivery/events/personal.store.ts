import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import { ERASED } from './erased-content.ts'

/** Events of these responses that still tell what the person said. */
export async function listTelling(tx: ReadTx, responseIds: Id<'response'>[]): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    select e.id from unnest(${responseIds.map((id) => `response:${id}:`)}::text[]) as given(source)
    cross join lateral (
      select id from events
      where tenant_id = ${tx.tenantId} and source >= given.source and source < rtrim(given.source, ':') || ';' and source >= ''
        and data::jsonb <> ${sql.raw(ERASED)}
      offset 0) e
    order by e.id`)
  return rows.map(({ id }) => id)
}

/** The events among these that are not erased yet. */
export async function listStillTelling(tx: ReadTx, ids: string[]): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    select id from events
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and data::jsonb <> ${sql.raw(ERASED)} order by id`)
  return rows.map(({ id }) => id)
}

export function eraseEvents(tx: TenantTx, ids: string[]): Promise<number> {
  return tx.run(sql`
    update events set data = ${sql.raw(ERASED)}::text
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}

export function listEvents(
  tx: ReadTx,
  ids: string[],
): Promise<Array<{ id: Id<'event'>; type: string; source: string | null; data: string; created_at: Date }>> {
  return tx.many(sql<{ id: Id<'event'>; type: string; source: string | null; data: string; created_at: Date }>`
    select id, type, source, data, created_at from events where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) order by id`)
}
