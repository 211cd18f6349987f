import { json, type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Filter } from '../../../platform/filter/grammar.ts'
import type { Id } from '../../../platform/ids.ts'
import { listFitting, type Fitting } from '../../../platform/fields/fitting.ts'
import type { PageRequest } from '../../../platform/fields/sorting.ts'
import type { ReferenceKind } from './references.ts'

export interface SegmentRow {
  id: Id<'segment'>
  name: string
  description: string
  filter: Filter
  created_at: Date
  updated_at: Date
}

const COLUMNS = sql.raw('id, name, description, filter, created_at, updated_at')

export function insertSegment(tx: TenantTx, row: SegmentRow): Promise<number> {
  return tx.run(sql`
    insert into segments (tenant_id, id, name, description, filter, created_at, updated_at)
    values (${tx.tenantId}, ${row.id}, ${row.name}, ${row.description}, ${json(row.filter)}, ${row.created_at},
      ${row.updated_at})`)
}

export function updateSegment(tx: TenantTx, row: SegmentRow): Promise<number> {
  return tx.run(sql`
    update segments set name = ${row.name}, description = ${row.description}, filter = ${json(row.filter)},
      updated_at = ${row.updated_at}
    where tenant_id = ${tx.tenantId} and id = ${row.id}`)
}

export function deleteSegment(tx: TenantTx, id: Id<'segment'>): Promise<number> {
  return tx.run(sql`delete from segments where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function findSegment(tx: ReadTx, id: Id<'segment'>): Promise<SegmentRow | undefined> {
  return tx.maybe(sql<SegmentRow>`select ${COLUMNS} from segments where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function lockSegment(tx: TenantTx, id: Id<'segment'>): Promise<SegmentRow | undefined> {
  return tx.maybe(
    sql<SegmentRow>`select ${COLUMNS} from segments where tenant_id = ${tx.tenantId} and id = ${id} for update`,
  )
}

export function listSegments(tx: ReadTx, page: PageRequest): Promise<Fitting<SegmentRow>> {
  return listFitting(tx, { table: 'segments', columns: COLUMNS }, page)
}

/** The ids among these that the workspace has, but for those of things that their features name. */
export async function findKnown(tx: ReadTx, ids: Record<ReferenceKind, string[]>): Promise<Set<string>> {
  const rows = await tx.many(sql<{ id: string }>`
    select id from agents where tenant_id = ${tx.tenantId} and id = any(${ids.agent}::uuid[])
    union all select id from people where tenant_id = ${tx.tenantId} and id = any(${ids.person}::uuid[])
    union all select id from segments where tenant_id = ${tx.tenantId} and id = any(${ids.segment}::uuid[])
    union all select user_id from memberships where tenant_id = ${tx.tenantId} and user_id = any(${ids.user}::uuid[])`)
  return new Set(rows.map(({ id }) => id))
}
