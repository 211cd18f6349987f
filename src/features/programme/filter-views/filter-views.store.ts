import { json, type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import { listFitting, type Fitting } from '../../../platform/fields/fitting.ts'
import type { PageRequest } from '../../../platform/fields/sorting.ts'
import type { VIEWED } from './filter-views.schema.ts'

export interface FilterViewRow {
  id: Id<'filterView'>
  owner_id: Id<'user'> | null
  name: string
  entity: (typeof VIEWED)[number]
  filter: Record<string, unknown>
  columns: string[]
  sort: string | null
  visibility: 'private' | 'shared'
  created_at: Date
  updated_at: Date
}

const COLUMNS = sql.raw('id, owner_id, name, entity, filter, columns, sort, visibility, created_at, updated_at')

export function insertView(tx: TenantTx, row: FilterViewRow): Promise<number> {
  return tx.run(sql`
    insert into filter_views (tenant_id, ${COLUMNS})
    values (${tx.tenantId}, ${row.id}, ${row.owner_id}, ${row.name}, ${row.entity}, ${json(row.filter)}, ${row.columns}::text[], ${row.sort},
      ${row.visibility}, ${row.created_at}, ${row.updated_at})`)
}

export function updateView(tx: TenantTx, row: FilterViewRow): Promise<number> {
  return tx.run(sql`
    update filter_views set name = ${row.name}, filter = ${json(row.filter)}, columns = ${row.columns}::text[], sort = ${row.sort},
      visibility = ${row.visibility}, updated_at = ${row.updated_at}
    where tenant_id = ${tx.tenantId} and id = ${row.id}`)
}

export async function deleteView(tx: TenantTx, id: Id<'filterView'>): Promise<void> {
  await tx.run(sql`delete from filter_views where tenant_id = ${tx.tenantId} and id = ${id}`)
  await tx.run(sql`delete from filter_view_defaults where tenant_id = ${tx.tenantId} and view_id = ${id}`)
}

/** A view that a person may see. */
export function findView(
  tx: ReadTx,
  id: Id<'filterView'>,
  userId: Id<'user'> | null,
): Promise<FilterViewRow | undefined> {
  return tx.maybe(sql<FilterViewRow>`
    select ${COLUMNS} from filter_views where tenant_id = ${tx.tenantId} and id = ${id} and ${seenBy(userId)}`)
}

export function lockView(
  tx: TenantTx,
  id: Id<'filterView'>,
  userId: Id<'user'> | null,
): Promise<FilterViewRow | undefined> {
  return tx.maybe(sql<FilterViewRow>`
    select ${COLUMNS} from filter_views where tenant_id = ${tx.tenantId} and id = ${id} and ${seenBy(userId)} for update`)
}

export function listViews(
  tx: ReadTx,
  { userId, entity }: { userId: Id<'user'> | null; entity: string | undefined },
  page: PageRequest,
): Promise<Fitting<FilterViewRow>> {
  const rows = { table: 'filter_views', columns: COLUMNS }
  const condition = sql`${seenBy(userId)} and ${entity === undefined ? sql`true` : sql`entity = ${entity}`}`
  return listFitting(tx, rows, page, condition)
}

export async function listDefaults(tx: ReadTx, userId: Id<'user'> | null): Promise<Set<string>> {
  const rows = await tx.many(sql<{ view_id: string }>`
    select view_id from filter_view_defaults where tenant_id = ${tx.tenantId} and user_id = ${userId}`)
  return new Set(rows.map((row) => row.view_id))
}

/** Makes it the default of a person in place of another. */
export function setDefault(tx: TenantTx, userId: Id<'user'>, { id, entity }: FilterViewRow): Promise<number> {
  return tx.run(sql`
    insert into filter_view_defaults (tenant_id, user_id, entity, view_id) values (${tx.tenantId}, ${userId}, ${entity}, ${id})
    on conflict (tenant_id, user_id, entity) do update set view_id = excluded.view_id`)
}

export function unsetDefault(tx: TenantTx, userId: Id<'user'>, id: Id<'filterView'>): Promise<number> {
  return tx.run(sql`
    delete from filter_view_defaults where tenant_id = ${tx.tenantId} and user_id = ${userId} and view_id = ${id}`)
}

function seenBy(userId: Id<'user'> | null) {
  return sql`(visibility = 'shared' or owner_id = ${userId})`
}
