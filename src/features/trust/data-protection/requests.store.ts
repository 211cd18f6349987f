import { json, type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Jobs, Lease } from '../../../platform/work/leases.ts'
import type { Id } from '../../../platform/ids.ts'
import type { PageRequest } from '../../../platform/fields/sorting.ts'
import type { Certificate, Counts, RequestKind, RequestStatus } from './plan.ts'

export interface RequestRow {
  id: Id<'privacyRequest'>
  kind: RequestKind
  status: RequestStatus
  dry_run: boolean
  sealed: string | null
  counts: Counts
  erased: Counts
  certificate: Certificate | null
  due_at: Date
  created_at: Date
  /** When an erasure had erased its last row. */
  erased_at: Date | null
  completed_at: Date | null
  failures: number
}

const COLUMNS = sql.raw(
  'id, kind, status, dry_run, sealed, counts, erased, certificate, due_at, created_at, erased_at, completed_at, failures',
)

export type NewRequest = Pick<RequestRow, 'id' | 'kind' | 'dry_run' | 'due_at' | 'created_at'> & { sealed: string }

export function insertRequest(tx: TenantTx, row: NewRequest): Promise<RequestRow> {
  return tx.one(sql<RequestRow>`
    insert into privacy_requests (tenant_id, id, kind, status, dry_run, sealed, counts, erased, due_at, created_at, next_at, failures)
    values (${tx.tenantId}, ${row.id}, ${row.kind}, 'searching', ${row.dry_run}, ${row.sealed}, '{}', '{}', ${row.due_at}, ${row.created_at}, ${row.created_at}, 0)
    returning ${COLUMNS}`)
}

export function findRequest(tx: ReadTx, id: Id<'privacyRequest'>): Promise<RequestRow | undefined> {
  return tx.maybe(
    sql<RequestRow>`select ${COLUMNS} from privacy_requests where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

export function listRequests(tx: ReadTx, page: PageRequest): Promise<RequestRow[]> {
  return tx.many(sql<RequestRow>`
    select ${COLUMNS} from privacy_requests
    where tenant_id = ${tx.tenantId} and ${page.before ? sql`id < ${page.before}` : sql`true`}
    order by id desc limit ${page.limit + 1}`)
}

/** An erasure that still has rows to erase, if there is one. */
export function findErasing(tx: ReadTx): Promise<Pick<RequestRow, 'id'> | undefined> {
  return tx.maybe(sql<Pick<RequestRow, 'id'>>`
    select id from privacy_requests
    where tenant_id = ${tx.tenantId} and next_at is not null and kind = 'erasure' and not dry_run and erased_at is null limit 1`)
}

/** Whether an erasure has rows to erase, or had some until after a moment. */
export async function hasErasedSince(tx: ReadTx, since: Date): Promise<boolean> {
  const found = await tx.maybe(sql`
    select from privacy_requests
    where tenant_id = ${tx.tenantId} and kind = 'erasure' and not dry_run
      and (next_at is not null and erased_at is null or erased_at >= ${since}) limit 1`)
  return found !== undefined
}

/** Whether an erasure erased its last row after a moment. */
export async function hasEndedAfter(tx: ReadTx, moment: Date): Promise<boolean> {
  const found = await tx.maybe(sql`
    select from privacy_requests where tenant_id = ${tx.tenantId} and erased_at > ${moment} limit 1`)
  return found !== undefined
}

/** The erasure that erased its last row latest. */
export function findLastErased(tx: ReadTx): Promise<Pick<RequestRow, 'id'> | undefined> {
  return tx.maybe(sql<Pick<RequestRow, 'id'>>`
    select id from privacy_requests
    where tenant_id = ${tx.tenantId} and erased_at is not null order by erased_at desc, id desc limit 1`)
}

/** Ends a request that has erased nothing yet. */
export function cancelRequest(tx: TenantTx, id: Id<'privacyRequest'>, now: Date): Promise<RequestRow | undefined> {
  return tx.maybe(sql<RequestRow>`
    update privacy_requests set status = 'cancelled', sealed = null, next_at = null, lease_token = null, completed_at = ${now}
    where tenant_id = ${tx.tenantId} and id = ${id} and status in ('searching', 'ready') and sealed is not null
    returning ${COLUMNS}`)
}

export const JOBS: Jobs = { table: 'privacy_requests', columns: COLUMNS }

export interface Progress {
  status: RequestStatus
  ends: boolean
  counts: Counts
  erased: Counts
  certificate: Certificate | null
  erasedAt: Date | null
  completedAt: Date | null
  failures: number
}

export function updatePlan(tx: TenantTx, id: Id<'privacyRequest'>, sealed: string): Promise<number> {
  return tx.run(sql`update privacy_requests set sealed = ${sealed} where tenant_id = ${tx.tenantId} and id = ${id}`)
}

/** Records a step. A request that ends forgets its plan. */
export function updateProgress(tx: TenantTx, id: Id<'privacyRequest'>, progress: Progress): Promise<number> {
  const { status, ends, counts, erased, certificate, erasedAt, completedAt, failures } = progress
  return tx.run(sql`
    update privacy_requests set status = ${status}, sealed = case when ${ends} then null else sealed end, counts = ${json(counts)}, erased = ${json(erased)},
      certificate = ${certificate && json(certificate)}, erased_at = ${erasedAt}, completed_at = ${completedAt}, failures = ${failures},
      next_at = case when ${ends} then null else next_at end, lease_token = case when ${ends} then null else lease_token end
    where tenant_id = ${tx.tenantId} and id = ${id}`)
}

/** Ends a request without success. The rows that an erasure erased stay erased. */
export function failRequest(
  tx: TenantTx,
  id: Id<'privacyRequest'>,
  lease: Lease,
  certificate: Certificate,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update privacy_requests set status = 'failed', sealed = null, certificate = ${json(certificate)}, next_at = null, lease_token = null, completed_at = ${now},
      erased_at = case when kind = 'erasure' and not dry_run then coalesce(erased_at, ${now}::timestamptz) end
    where tenant_id = ${tx.tenantId} and id = ${id} and lease_token = ${lease.token}`)
}
