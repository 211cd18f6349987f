import { json, type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import { listFitting, type Fitting } from '../../../platform/fields/fitting.ts'
import type { PageRequest } from '../../../platform/fields/sorting.ts'
import type { EmailContent } from './email-content.ts'

export interface TemplateRow {
  id: Id<'template'>
  name: string
  version: number
  default_language: string
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
}

export interface VersionRow {
  id: string
  version: number
  default_language: string
  content: EmailContent
  created_by: string | null
  created_at: Date
}

const COLUMNS = sql.raw('id, name, version, default_language, created_at, updated_at, deleted_at')

export function insertTemplate(
  tx: TenantTx,
  template: { id: Id<'template'>; name: string; defaultLanguage: string; now: Date },
): Promise<TemplateRow> {
  const { id, name, defaultLanguage, now } = template
  return tx.one(sql<TemplateRow>`
    insert into email_templates (tenant_id, id, name, default_language, version, created_at, updated_at)
    values (${tx.tenantId}, ${id}, ${name}, ${defaultLanguage}, 1, ${now}, ${now})
    returning ${COLUMNS}`)
}

export async function countTemplates(tx: ReadTx): Promise<number> {
  return (
    await tx.one(
      sql<{
        n: number
      }>`select count(*)::int as n from email_templates where tenant_id = ${tx.tenantId} and deleted_at is null`,
    )
  ).n
}

export function listTemplates(tx: ReadTx, page: PageRequest): Promise<TemplateRow[]> {
  return tx.many(sql<TemplateRow>`
    select ${COLUMNS} from email_templates
    where tenant_id = ${tx.tenantId} and deleted_at is null and ${page.before ? sql`id < ${page.before}` : sql`true`}
    order by id desc limit ${page.limit + 1}`)
}

/** Also one that was deleted. */
export function findTemplate(tx: ReadTx, id: Id<'template'>): Promise<TemplateRow | undefined> {
  return tx.maybe(
    sql<TemplateRow>`select ${COLUMNS} from email_templates where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

/** Locked, so that two changes make two versions. */
export function lockTemplate(tx: TenantTx, id: Id<'template'>): Promise<TemplateRow | undefined> {
  return tx.maybe(sql<TemplateRow>`
    select ${COLUMNS} from email_templates where tenant_id = ${tx.tenantId} and id = ${id} and deleted_at is null for update`)
}

export interface TemplateChange {
  name: string
  defaultLanguage: string
  version: number
  now: Date
}

export function updateTemplate(
  tx: TenantTx,
  id: Id<'template'>,
  { name, defaultLanguage, version, now }: TemplateChange,
): Promise<TemplateRow> {
  return tx.one(sql<TemplateRow>`
    update email_templates set name = ${name}, default_language = ${defaultLanguage}, version = ${version}, updated_at = ${now}
    where tenant_id = ${tx.tenantId} and id = ${id}
    returning ${COLUMNS}`)
}

export function markDeleted(tx: TenantTx, id: Id<'template'>, now: Date): Promise<number> {
  return tx.run(
    sql`update email_templates set deleted_at = ${now} where tenant_id = ${tx.tenantId} and id = ${id} and deleted_at is null`,
  )
}

interface NewVersion {
  templateId: Id<'template'>
  id: string
  version: number
  defaultLanguage: string
  content: EmailContent
  createdBy: string | null
  now: Date
}

export function insertVersion(
  tx: TenantTx,
  { templateId, id, version, defaultLanguage, content, createdBy, now }: NewVersion,
): Promise<number> {
  return tx.run(sql`
    insert into email_template_versions (tenant_id, template_id, version, id, default_language, content, created_by, created_at)
    values (${tx.tenantId}, ${templateId}, ${version}, ${id}, ${defaultLanguage}, ${json(content)}, ${createdBy}, ${now})`)
}

export function findVersion(tx: ReadTx, templateId: Id<'template'>, version: number): Promise<VersionRow | undefined> {
  return tx.maybe(sql<VersionRow>`
    select id, version, default_language, content, created_by, created_at from email_template_versions
    where tenant_id = ${tx.tenantId} and template_id = ${templateId} and version = ${version}`)
}

export function listVersions(tx: ReadTx, templateId: Id<'template'>, page: PageRequest): Promise<Fitting<VersionRow>> {
  const columns = sql.raw('id, version, default_language, content, created_by, created_at')
  return listFitting(tx, { table: 'email_template_versions', columns }, page, sql`template_id = ${templateId}`)
}

/** The languages of templates at their latest version. */
export function listLanguages(
  tx: ReadTx,
  ids: Id<'template'>[],
): Promise<Array<{ template_id: Id<'template'>; languages: string[] }>> {
  return tx.many(sql<{ template_id: Id<'template'>; languages: string[] }>`
    select v.template_id, array(select jsonb_object_keys(v.content) order by 1) as languages
    from email_template_versions v join email_templates t on t.tenant_id = v.tenant_id and t.id = v.template_id and t.version = v.version
    where v.tenant_id = ${tx.tenantId} and t.id = any(${ids}::uuid[])`)
}

/** The templates that are not deleted and have a text in their latest version. At most 20. */
export function listHolding(tx: ReadTx, text: string): Promise<Array<{ id: Id<'template'>; name: string }>> {
  return tx.many(sql<{ id: Id<'template'>; name: string }>`
    select t.id, t.name from email_templates t
    join email_template_versions v on v.tenant_id = t.tenant_id and v.template_id = t.id and v.version = t.version
    where t.tenant_id = ${tx.tenantId} and t.deleted_at is null and strpos(v.content::text, ${text}) > 0
    order by t.id limit 20`)
}
