import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import { alerts, type AlertRow } from './alert.entity.ts'

const COLUMNS = alerts.list()

/** Alerts about these responses that still hold words. */
export async function listAbout(tx: ReadTx, responseIds: string[]): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    select id from alerts
    where tenant_id = ${tx.tenantId} and response_id = any(${responseIds}::uuid[])
      and (excerpt is not null or root_cause is not null or resolution is not null or case_url is not null) order by id`)
  return rows.map(({ id }) => id)
}

export function listWords(tx: ReadTx, ids: string[]): Promise<AlertRow[]> {
  return tx.many(sql<AlertRow>`
    select ${COLUMNS} from alerts
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) order by id`)
}

export function lockRows(tx: TenantTx, ids: string[]): Promise<AlertRow[]> {
  return tx.many(sql<AlertRow>`
    select ${COLUMNS} from alerts
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) order by id for update`)
}

/** Alerts with words of members, in id order. */
export function listWithWords(tx: ReadTx, after: string | null, limit: number): Promise<AlertRow[]> {
  return tx.many(sql<AlertRow>`
    select ${COLUMNS} from alerts
    where tenant_id = ${tx.tenantId} and ${after ? sql`id > ${after}` : sql`true`}
      and (root_cause is not null or resolution is not null or case_url is not null) order by id limit ${limit}`)
}

export function eraseWords(tx: TenantTx, ids: string[]): Promise<number> {
  return tx.run(sql`
    update alerts set ${alerts.erasing}
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}

/** Leaves these words of members about an alert. */
export function keepWords(
  tx: TenantTx,
  id: Id<'alert'>,
  { root_cause, resolution, case_url }: Pick<AlertRow, 'root_cause' | 'resolution' | 'case_url'>,
): Promise<number> {
  return tx.run(sql`
    update alerts set root_cause = ${root_cause}, resolution = ${resolution}, case_url = ${case_url}
    where tenant_id = ${tx.tenantId} and id = ${id}`)
}

/** Of responses that were deleted, the excerpt alone. */
export function eraseExcerpts(tx: TenantTx, responseIds: string[]): Promise<number> {
  return tx.run(sql`
    update alerts set excerpt = null
    where tenant_id = ${tx.tenantId} and response_id = any(${responseIds}::uuid[]) and excerpt is not null`)
}

export interface Entry {
  id: string
  alert_id: Id<'alert'>
  at: Date
  kind: string
  before: string | null
  after: string | null
  text: string | null
}

// A link to a case is in the fields of its entry. Others keep states and ids there, which tell nothing.
const SAYS = sql.raw(`(text is not null or kind = 'case_url' and (before is not null or after is not null))`)

/** Words in timelines of these alerts. */
export async function listEntriesAbout(tx: ReadTx, responseIds: string[]): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    select e.id from alerts a cross join lateral (
      select id from alert_entries
      where tenant_id = ${tx.tenantId} and alert_id = a.id and ${SAYS} offset 0) e
    where a.tenant_id = ${tx.tenantId} and a.response_id = any(${responseIds}::uuid[]) order by e.id`)
  return rows.map(({ id }) => id)
}

/** Entries with the response of their alert. */
export function listEntries(tx: ReadTx, ids: string[]): Promise<Array<Entry & { response_id: Id<'response'> | null }>> {
  return tx.many(sql<Entry & { response_id: Id<'response'> | null }>`
    select e.id, e.alert_id, e.at, e.kind, e.before, e.after, e.text, a.response_id
    from alert_entries e join alerts a on a.tenant_id = ${tx.tenantId} and a.id = e.alert_id
    where e.tenant_id = ${tx.tenantId} and e.id = any(${ids}::uuid[]) order by e.id`)
}

/** Words in all timelines, in id order. */
export function listTexts(tx: ReadTx, after: string | null, limit: number): Promise<Entry[]> {
  return tx.many(sql<Entry>`
    select id, alert_id, at, kind, before, after, text from alert_entries
    where tenant_id = ${tx.tenantId} and ${after ? sql`id > ${after}` : sql`true`} and ${SAYS}
    order by id limit ${limit}`)
}

export function eraseEntries(tx: TenantTx, ids: string[]): Promise<number> {
  return tx.run(sql`
    update alert_entries set text = null, before = case when kind = 'case_url' then null else before end,
      after = case when kind = 'case_url' then null else after end
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and ${SAYS}`)
}
