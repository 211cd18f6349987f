import { type RawBuilder, type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { ExportKey } from '../../../platform/export-source.ts'
import type { Id } from '../../../platform/ids.ts'
import { readPage, type Sorted } from '../../../platform/fields/sorting.ts'
import type { PageRequest } from '../../../platform/page.ts'
import { alerts, type AlertRow } from './alert.entity.ts'
import type { AlertStatus } from './alert-steps.ts'

const COLUMNS = alerts.list()

/** Opens an alert, unless its rule has opened one for the same cause. Returns how many it opened. */
export function insertAlert(tx: TenantTx, row: AlertRow): Promise<number> {
  return tx.run(sql`
    insert into alerts (tenant_id, ${COLUMNS})
    values (${tx.tenantId}, ${alerts.values(row)})
    on conflict (tenant_id, rule_id, cause) where cause > '' do nothing`)
}

/** Writes what changes. */
export function updateAlert(tx: TenantTx, row: AlertRow): Promise<number> {
  return tx.run(sql`
    update alerts set ${alerts.changes(row)}
    where tenant_id = ${tx.tenantId} and id = ${row.id}`)
}

export function findAlert(tx: ReadTx, id: Id<'alert'>): Promise<AlertRow | undefined> {
  return tx.maybe(sql<AlertRow>`select ${COLUMNS} from alerts where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function lockAlert(tx: TenantTx, id: Id<'alert'>): Promise<AlertRow | undefined> {
  return tx.maybe(
    sql<AlertRow>`select ${COLUMNS} from alerts where tenant_id = ${tx.tenantId} and id = ${id} for update`,
  )
}

/** @param condition a filter on the alias `a`. */
export function listAlerts(
  tx: ReadTx,
  condition: RawBuilder<unknown>,
  page: PageRequest,
): Promise<Array<AlertRow & Sorted>> {
  return readPage(page, alerts.sorts, 'a', 'all', ({ value, where, order, limit }) =>
    tx.many(sql<AlertRow & Sorted>`
      select ${COLUMNS}, ${value} from alerts a
      where a.tenant_id = ${tx.tenantId} and ${condition} and ${where} order by ${order} limit ${limit}`),
  )
}

export function listByIds(tx: ReadTx, ids: string[]): Promise<AlertRow[]> {
  return tx.many(
    sql<AlertRow>`select ${COLUMNS} from alerts where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) order by id`,
  )
}

/** The bytes of these alerts, as `id`, `member` and `bytes`. */
export function sizesOf(tx: ReadTx, keys: ExportKey[]): RawBuilder<unknown> {
  return sql`
    select id, null::text as member, octet_length(concat(root_cause, resolution, excerpt)) as bytes from alerts
    where tenant_id = ${tx.tenantId} and id = any(${keys.map(({ id }) => id)}::uuid[])`
}

/** @param condition a filter on the alias `a`. */
export function selectKeys(tx: ReadTx, condition: RawBuilder<unknown>): RawBuilder<ExportKey> {
  return sql<ExportKey>`
    select a.id, null::text as member from alerts a where a.tenant_id = ${tx.tenantId} and ${condition}`
}

export function countByStatus(
  tx: ReadTx,
  condition: RawBuilder<unknown>,
): Promise<Array<{ status: AlertStatus; n: number }>> {
  return tx.many(sql<{ status: AlertStatus; n: number }>`
    select a.status, count(*)::integer as n from alerts a
    where a.tenant_id = ${tx.tenantId} and ${condition} group by a.status`)
}

/** Alerts that nobody acknowledged in time, locked. Skips those that somebody changes now. */
export function lockLate(tx: TenantTx, now: Date, limit: number): Promise<AlertRow[]> {
  return tx.many(sql<AlertRow>`
    select ${COLUMNS} from alerts
    where tenant_id = ${tx.tenantId} and escalate_at is not null and escalate_at <= ${now}
    order by escalate_at, id limit ${limit} for update skip locked`)
}

/** When the rule last opened an alert for a survey. */
export async function findLastDrop(tx: ReadTx, ruleId: Id<'alertRule'>, surveyId: Id<'survey'>): Promise<Date | null> {
  const row = await tx.maybe(sql<{ opened_at: Date }>`
    select opened_at from alerts
    where tenant_id = ${tx.tenantId} and rule_id = ${ruleId} and cause > '' and starts_with(cause, ${`drop:${surveyId}:`})
    order by opened_at desc limit 1`)
  return row?.opened_at ?? null
}
