import { type ReadTx, sql, type TenantTx } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'
import { UNFINISHED, type RunStatus } from './run-status.ts'

export interface Holding {
  run_id: Id<'exportRun'>
  row_id: string
}

/** Which runs in these states hold which of these rows. The bounds of a slice spare reading it. */
export function listHoldings(tx: ReadTx, ids: string[], statuses: RunStatus[]): Promise<Holding[]> {
  return tx.many(sql<Holding>`
    select distinct s.run_id, wanted.id as row_id
    from export_runs r
    join export_slices s on s.tenant_id = ${tx.tenantId} and s.run_id = r.id
    join unnest(${ids}::uuid[]) as wanted (id)
      on wanted.id >= s.first_id and wanted.id <= s.last_id and wanted.id = any(s.ids)
    where r.tenant_id = ${tx.tenantId} and r.status = any(${statuses}::text[])
    order by s.run_id, wanted.id`)
}

/** The sources of runs in these states. */
export async function listSources(tx: ReadTx, statuses: RunStatus[]): Promise<string[]> {
  const rows = await tx.many(sql<{ source: string }>`
    select distinct source from export_runs where tenant_id = ${tx.tenantId} and status = any(${statuses}::text[])`)
  return rows.map(({ source }) => source)
}

/** Locks runs, so that no worker records a step of them meanwhile. */
export async function lockRuns(tx: TenantTx, ids: Id<'exportRun'>[]): Promise<void> {
  await tx.many(sql`
    select id from export_runs where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) order by id for update`)
}

/** Takes rows out of the snapshot of runs, and forgets the parts that hold them. The others are delivered once more. */
export async function dropRows(tx: TenantTx, runIds: Id<'exportRun'>[], rowIds: string[]): Promise<void> {
  await tx.run(sql`
    delete from export_parts p
    where p.tenant_id = ${tx.tenantId} and p.run_id = any(${runIds}::uuid[]) and exists (
      select from export_slices s
      where s.tenant_id = ${tx.tenantId} and s.run_id = p.run_id and s.part = p.n and s.ids && ${rowIds}::uuid[])`)
  await tx.run(sql`
    update export_parts set delivered_at = null
    where tenant_id = ${tx.tenantId} and run_id = any(${runIds}::uuid[]) and delivered_at is not null`)
  await tx.run(sql`
    update export_slices s set ids = kept.ids, members = kept.members
    from (
      select k.run_id, k.part, k.n,
        coalesce(array_agg(u.id order by u.at) filter (where u.id <> all(${rowIds}::uuid[])), '{}') as ids,
        case when k.members is not null
          then coalesce(array_agg(u.member order by u.at) filter (where u.id <> all(${rowIds}::uuid[])), '{}') end as members
      from export_slices k cross join lateral unnest(k.ids, k.members) with ordinality as u (id, member, at)
      where k.tenant_id = ${tx.tenantId} and k.run_id = any(${runIds}::uuid[]) and k.ids && ${rowIds}::uuid[]
      group by k.run_id, k.part, k.n, k.members) as kept
    where s.tenant_id = ${tx.tenantId} and s.run_id = kept.run_id and s.part = kept.part and s.n = kept.n`)
}

/** Unfinished ones build their missing parts again; who works on one loses it. Completed ones expire. */
export async function restartRuns(tx: TenantTx, ids: Id<'exportRun'>[], now: Date): Promise<void> {
  await tx.run(sql`
    update export_runs set phase_started_at = ${now}, next_at = ${now}, lease_token = null,
      delivery_round = delivery_round + case when status = 'delivering' then 1 else 0 end,
      status = case when status = 'completed' then 'expired' when status = 'queued' then 'queued' else 'building' end,
      erased_at = case when status = 'completed' then ${now}::timestamptz else erased_at end
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])
      and status = any(${[...UNFINISHED, 'completed']}::text[])`)
}

/**
 * Runs of `before` with files that count no more and are still to be removed. A run under construction removes them
 * before it delivers. A queued run has none yet.
 */
export function listGoing(tx: ReadTx, before: Date): Promise<Array<{ id: Id<'exportRun'> }>> {
  return tx.many(sql<{ id: Id<'exportRun'> }>`
    select id from export_runs
    where tenant_id = ${tx.tenantId} and next_at is not null and created_at <= ${before}
      and status in ('building', 'manifesting', 'cancelling', 'failed', 'expired', 'cleaning')
    order by id`)
}

export interface Copied {
  id: Id<'exportRun'>
  destination: 'download' | 'email' | 's3'
  at: Date
}

/** The runs among these with a file that left the server, or began to. */
export function listCopied(tx: ReadTx, ids: string[]): Promise<Copied[]> {
  return tx.many(sql<Copied>`
    select id, destination, coalesce(completed_at, delivery_began_at) as at from export_runs
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])
      and coalesce(completed_at, delivery_began_at) is not null`)
}

export function listRuns(
  tx: ReadTx,
  ids: string[],
): Promise<Array<{ id: Id<'exportRun'>; source: string; created_at: Date }>> {
  return tx.many(sql<{ id: Id<'exportRun'>; source: string; created_at: Date }>`
    select id, source, created_at from export_runs where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) order by id`)
}
