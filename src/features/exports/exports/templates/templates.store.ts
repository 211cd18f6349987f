import { json, type ReadTx, sql, type TenantTx } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'
import { listFitting, type Fitting } from '../../../../platform/fields/fitting.ts'
import type { PageRequest } from '../../../../platform/fields/sorting.ts'
import type { Permission } from '../../../../platform/permissions.ts'
import type { DefinitionRow, DestinationType, SourceName } from '../definition/definition.ts'

export interface TemplateRow {
  id: Id<'exportTemplate'>
  name: string
  source: SourceName
  definition: DefinitionRow
  destination: DestinationType
  sealed: string
  shows: Permission[]
  created_at: Date
  updated_at: Date
}

const COLUMNS = sql.raw('id, name, source, definition, destination, sealed, shows, created_at, updated_at')

export function insertTemplate(tx: TenantTx, row: TemplateRow): Promise<number> {
  return tx.run(sql`
    insert into export_templates (tenant_id, ${COLUMNS})
    values (${tx.tenantId}, ${row.id}, ${row.name}, ${row.source}, ${json(row.definition)}, ${row.destination}, ${row.sealed},
      ${row.shows}::text[], ${row.created_at}, ${row.updated_at})`)
}

export function updateTemplate(tx: TenantTx, row: TemplateRow): Promise<number> {
  return tx.run(sql`
    update export_templates set name = ${row.name}, definition = ${json(row.definition)}, destination = ${row.destination},
      sealed = ${row.sealed}, shows = ${row.shows}::text[], updated_at = ${row.updated_at}
    where tenant_id = ${tx.tenantId} and id = ${row.id}`)
}

export function deleteTemplate(tx: TenantTx, id: Id<'exportTemplate'>): Promise<number> {
  return tx.run(sql`delete from export_templates where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function findTemplate(tx: ReadTx, id: Id<'exportTemplate'>): Promise<TemplateRow | undefined> {
  return tx.maybe(
    sql<TemplateRow>`select ${COLUMNS} from export_templates where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

/** Keeps a template from being deleted until the transaction ends. */
export function lockTemplate(tx: TenantTx, id: Id<'exportTemplate'>): Promise<TemplateRow | undefined> {
  return tx.maybe(sql<TemplateRow>`
    select ${COLUMNS} from export_templates where tenant_id = ${tx.tenantId} and id = ${id} for update`)
}

export function listTemplates(tx: ReadTx, page: PageRequest): Promise<Fitting<TemplateRow>> {
  return listFitting(tx, { table: 'export_templates', columns: COLUMNS }, page)
}

/** Schedules that run a template. */
export function listSchedulesOf(
  tx: ReadTx,
  id: Id<'exportTemplate'>,
): Promise<Array<{ id: Id<'exportSchedule'>; cron: string }>> {
  return tx.many(sql<{ id: Id<'exportSchedule'>; cron: string }>`
    select id, cron from export_schedules where tenant_id = ${tx.tenantId} and template_id = ${id} order by id limit 20`)
}

/** Templates whose filter has this text in it. */
export function listMentioning(tx: ReadTx, text: string): Promise<Array<{ id: Id<'exportTemplate'>; name: string }>> {
  return tx.many(sql<{ id: Id<'exportTemplate'>; name: string }>`
    select id, name from export_templates
    where tenant_id = ${tx.tenantId} and strpos((definition -> 'filter')::text, ${text}) > 0 order by id limit 20`)
}
