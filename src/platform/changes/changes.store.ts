import type { Among } from '../work/across-tenants.ts'
import { sql, type ReadTx, type SystemTx, type TenantTx } from '../database/database.ts'
import type { TenantId } from '../ids.ts'
import type { ChangeRow } from '../topics.ts'

const COLUMNS = sql.raw('c.id, c.topic, c.type, c.object_id, c.survey_id, c.user_id, c.permission, c.at')

/**
 * The watched workspaces, and whether those that this process follows have changes after `after`. One statement, so
 * that streams without news cost one query a second.
 */
export function listWatched(
  tx: SystemTx,
  { reachable }: Among,
  { now, followed, after }: { now: Date; followed: TenantId[]; after: string },
): Promise<Array<{ tenant_id: TenantId; has_news: boolean }>> {
  return tx.many(sql<{ tenant_id: TenantId; has_news: boolean }>`
    select w.tenant_id, w.tenant_id = any(${followed}::uuid[]) and exists (
        select from changes c where c.tenant_id = w.tenant_id and c.id > ${after}) as has_news
    from watched_workspaces w where w.until > ${now} and ${reachable}`)
}

/** Changes after a row, oldest first. */
export function listChanges(tx: ReadTx, after: string, limit: number): Promise<ChangeRow[]> {
  return tx.many(sql<ChangeRow>`
    select ${COLUMNS} from changes c where c.tenant_id = ${tx.tenantId} and c.id > ${after} order by c.id limit ${limit}`)
}

/** The ids of the newest changes after a row. */
export async function listNewestIds(tx: ReadTx, after: string, limit: number): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    select c.id from changes c where c.tenant_id = ${tx.tenantId} and c.id > ${after} order by c.id desc limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** How many changes came after a row, up to a limit, and the last one of them. */
export function countChanges(tx: ReadTx, after: string, limit: number): Promise<{ n: number; until: string | null }> {
  return tx.one(sql<{ n: number; until: string | null }>`
    select count(*)::integer as n, max(found.id::text) as until from (
      select c.id from changes c where c.tenant_id = ${tx.tenantId} and c.id > ${after} order by c.id limit ${limit}) as found`)
}

export function findChange(tx: ReadTx, id: string): Promise<{ at: Date } | undefined> {
  return tx.maybe(sql<{ at: Date }>`select at from changes where tenant_id = ${tx.tenantId} and id = ${id}`)
}

/** Returns false if the workspace is watched anyway. */
export async function watchUntil(tx: TenantTx, now: Date, until: Date): Promise<boolean> {
  const rows = await tx.many(sql<{ until: Date }>`
    insert into watched_workspaces as w (tenant_id, since, until) values (${tx.tenantId}, ${now}, ${until})
    on conflict (tenant_id) do update set until = greatest(w.until, excluded.until)
    where w.until <= ${now}
    returning w.until`)
  return rows.length > 0
}

/** The same for a workspace that is watched. */
export function watchLonger(tx: TenantTx, until: Date): Promise<number> {
  return tx.run(
    sql`update watched_workspaces set until = ${until} where tenant_id = ${tx.tenantId} and until < ${until}`,
  )
}

export function deleteUnwatched(tx: TenantTx, now: Date): Promise<number> {
  return tx.run(sql`delete from watched_workspaces where tenant_id = ${tx.tenantId} and until <= ${now}`)
}
