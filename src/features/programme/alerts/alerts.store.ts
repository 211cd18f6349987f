import { type RawBuilder, type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { ExportKey } from '../../../platform/export-source.ts'
import type { Id } from '../../../platform/ids.ts'
import { readFitting, type Fitting } from '../../../platform/fields/fitting.ts'
import { readPage, type Sorted, type PageRequest } from '../../../platform/fields/sorting.ts'
import { alerts, type AlertRow } from './alert.entity.ts'
import type { AlertStatus } from './alert-steps.ts'
import type { AgeRange } from '../../../platform/work/retention.ts'

const COLUMNS = alerts.list()
const MOST_ENTRY_BYTES = 1_000_000

/** An alert with the person of its response. */
export type ShownRow = AlertRow & { person_id: Id<'person'> | null }

function shownOf(tx: ReadTx, alias = 'a'): RawBuilder<unknown> {
  return sql`${alerts.list(alias)}, (
    select r.person_id from responses r
    where r.tenant_id = ${tx.tenantId} and r.id = ${sql.ref(`${alias}.response_id`)} and r.state <> 'deleted') as person_id`
}

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

export function findAlert(tx: ReadTx, id: Id<'alert'>): Promise<ShownRow | undefined> {
  return tx.maybe(sql<ShownRow>`
    select ${shownOf(tx)} from alerts a where a.tenant_id = ${tx.tenantId} and a.id = ${id}`)
}

export function lockAlert(tx: TenantTx, id: Id<'alert'>): Promise<AlertRow | undefined> {
  return tx.maybe(
    sql<AlertRow>`select ${COLUMNS} from alerts where tenant_id = ${tx.tenantId} and id = ${id} for update`,
  )
}

/** As many as fit. @param condition a filter on the alias `a`. */
export async function listAlerts(
  tx: ReadTx,
  condition: RawBuilder<unknown>,
  page: PageRequest,
): Promise<Fitting<ShownRow & Sorted>> {
  const found = await readPage(page, alerts.sorts, 'a', 'all', ({ value, where, order, limit }) =>
    tx.many(sql<Sorted & { id: Id<'alert'> }>`
      select a.id, ${value} from alerts a
      where a.tenant_id = ${tx.tenantId} and ${condition} and ${where} order by ${order} limit ${limit}`),
  )
  return readFitting(tx, { table: 'alerts', columns: shownOf(tx, 'fitting') }, found, page)
}

export function listByIds(tx: ReadTx, ids: string[]): Promise<ShownRow[]> {
  return tx.many(sql<ShownRow>`
    select ${shownOf(tx)} from alerts a
    where a.tenant_id = ${tx.tenantId} and a.id = any(${ids}::uuid[]) order by a.id`)
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

/** One line of an alert's timeline. */
interface EntryRow {
  id: string
  at: Date
  actor: string | null
  kind: string
  before: string | null
  after: string | null
  /** Sealed. */
  text: string | null
}

export function insertEntry(tx: TenantTx, alertId: Id<'alert'>, row: EntryRow): Promise<number> {
  return tx.run(sql`
    insert into alert_entries (tenant_id, alert_id, id, at, actor, kind, before, after, text)
    values (${tx.tenantId}, ${alertId}, ${row.id}, ${row.at}, ${row.actor}, ${row.kind}, ${row.before}, ${row.after}, ${row.text})`)
}

/** The newest ones, oldest first: as many as fit into 1 MB of words. */
export function listEntries(tx: ReadTx, alertId: Id<'alert'>, limit: number): Promise<EntryRow[]> {
  return tx.many(sql<EntryRow>`
    select id, at, actor, kind, before, after, text from (
      select *, sum(coalesce(octet_length(text::text), 0)) over (order by id desc) as bytes
      from alert_entries where tenant_id = ${tx.tenantId} and alert_id = ${alertId}
      order by id desc limit ${limit}) as entry
    where bytes <= ${MOST_ENTRY_BYTES} order by id`)
}

/** An alert in the timeline of a person. */
interface AlertedRow {
  at: Date
  key: string
  kind: 'alerted'
  channel: string | null
  survey_id: Id<'survey'>
  invitation_id: null
  response_id: Id<'response'>
  score: number | null
  send_id: null
  alert_id: Id<'alert'>
  text: null
  reason: null
}

/** The alerts that a person's responses opened, newest first. */
export function listOfPerson(
  tx: ReadTx,
  id: Id<'person'>,
  { before, limit }: { before: { at: Date; key: string } | null; limit: number },
): Promise<AlertedRow[]> {
  const key = sql`(a.id::text || ' alerted') collate "C"`
  const earlier = before ? sql`(a.opened_at, ${key}) < (${before.at}::timestamptz, ${before.key}::text)` : sql`true`
  return tx.many(sql<AlertedRow>`
    select a.opened_at as at, ${key} as key, 'alerted' as kind, r.channel, a.survey_id, null as invitation_id,
      a.response_id, r.score, null::uuid as send_id, a.id as alert_id, null::text as text, null::text as reason
    from responses r join alerts a on a.tenant_id = r.tenant_id and a.response_id = r.id
    where r.tenant_id = ${tx.tenantId} and r.person_id = ${id} and r.state <> 'deleted' and ${earlier}
    order by a.opened_at desc, ${key} desc limit ${limit}`)
}

/** Deletes alerts that were opened before a time, with their timelines. Skips those that somebody changes now. */
export async function deleteOpened(tx: TenantTx, range: AgeRange): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    with old as materialized (
      select id from alerts
      where tenant_id = ${tx.tenantId} and id < ${range.below} and ${range.after ? sql`id > ${range.after}` : sql`true`} and opened_at < ${range.before}
      order by id limit ${range.limit} for update skip locked),
    deleted as (
      delete from alerts where tenant_id = ${tx.tenantId} and id = any(array(select id from old)) returning id)
    select id from deleted order by id`)
  return rows.map(({ id }) => id)
}
