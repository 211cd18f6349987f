import { json, type ReadTx, sql, type TenantTx } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'
import { listFitting, type Fitting } from '../../../../platform/fields/fitting.ts'
import type { PageRequest } from '../../../../platform/fields/sorting.ts'
import type { Priority, RuleTrigger } from './rules.schema.ts'

export interface RuleRow {
  id: Id<'alertRule'>
  name: string
  enabled: boolean
  survey_ids: Id<'survey'>[]
  trigger: RuleTrigger
  priority: Priority
  owner_id: Id<'user'> | null
  due_in_minutes: number | null
  business_hours: boolean
  escalate_after_minutes: number | null
  escalate_to: Id<'user'> | null
  notify: { email: Id<'user'>[]; owner: boolean }
  created_at: Date
  updated_at: Date
  check_at: Date | null
}

const NAMES =
  'id, name, enabled, survey_ids, trigger, priority, owner_id, due_in_minutes, business_hours, ' +
  'escalate_after_minutes, escalate_to, notify, created_at, updated_at, check_at'
const COLUMNS = sql.raw(NAMES)

const LIST_ENABLED = `select ${NAMES} from alert_rules where tenant_id = $1 and enabled order by id`

export function listEnabled(tx: ReadTx): Promise<RuleRow[]> {
  return tx.prepared<RuleRow>({ name: 'list-alert-rules', text: LIST_ENABLED, values: [tx.tenantId] })
}

export function insertRule(tx: TenantTx, row: RuleRow): Promise<number> {
  return tx.run(sql`
    insert into alert_rules (tenant_id, ${COLUMNS})
    values (${tx.tenantId}, ${row.id}, ${row.name}, ${row.enabled}, ${row.survey_ids}::uuid[], ${json(row.trigger)}, ${row.priority}, ${row.owner_id},
      ${row.due_in_minutes}, ${row.business_hours}, ${row.escalate_after_minutes}, ${row.escalate_to}, ${json(row.notify)}, ${row.created_at}, ${row.updated_at}, ${row.check_at})`)
}

export function updateRule(tx: TenantTx, row: RuleRow): Promise<number> {
  return tx.run(sql`
    update alert_rules set name = ${row.name}, enabled = ${row.enabled}, survey_ids = ${row.survey_ids}::uuid[], trigger = ${json(row.trigger)},
      priority = ${row.priority}, owner_id = ${row.owner_id}, due_in_minutes = ${row.due_in_minutes}, business_hours = ${row.business_hours},
      escalate_after_minutes = ${row.escalate_after_minutes}, escalate_to = ${row.escalate_to}, notify = ${json(row.notify)}, updated_at = ${row.updated_at},
      check_at = ${row.check_at}
    where tenant_id = ${tx.tenantId} and id = ${row.id}`)
}

export function deleteRule(tx: TenantTx, id: Id<'alertRule'>): Promise<number> {
  return tx.run(sql`delete from alert_rules where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function findRule(tx: ReadTx, id: Id<'alertRule'>): Promise<RuleRow | undefined> {
  return tx.maybe(sql<RuleRow>`select ${COLUMNS} from alert_rules where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function lockRule(tx: TenantTx, id: Id<'alertRule'>): Promise<RuleRow | undefined> {
  return tx.maybe(
    sql<RuleRow>`select ${COLUMNS} from alert_rules where tenant_id = ${tx.tenantId} and id = ${id} for update`,
  )
}

export function listRules(tx: ReadTx, page: PageRequest): Promise<Fitting<RuleRow>> {
  return listFitting(tx, { table: 'alert_rules', columns: COLUMNS }, page)
}

/** Rules whose trigger names something by this id. */
export function listNaming(tx: ReadTx, text: string): Promise<Array<Pick<RuleRow, 'id' | 'name'>>> {
  return tx.many(sql<Pick<RuleRow, 'id' | 'name'>>`
    select id, name from alert_rules where tenant_id = ${tx.tenantId} and strpos(trigger::text, ${text}) > 0 order by id limit 100`)
}

export async function countRules(tx: ReadTx): Promise<number> {
  const row = await tx.one(
    sql<{ n: number }>`select count(*)::integer as n from alert_rules where tenant_id = ${tx.tenantId}`,
  )
  return row.n
}

/** One rule about a drop that is due, locked. Skips those that another worker looks at. */
export function lockDueRule(tx: TenantTx, now: Date): Promise<RuleRow | undefined> {
  return tx.maybe(sql<RuleRow>`
    select ${COLUMNS} from alert_rules
    where tenant_id = ${tx.tenantId} and check_at is not null and check_at <= ${now}
    order by check_at, id limit 1 for update skip locked`)
}

export function updateCheckAt(tx: TenantTx, id: Id<'alertRule'>, checkAt: Date): Promise<number> {
  return tx.run(sql`update alert_rules set check_at = ${checkAt} where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function listNames(tx: ReadTx, ids: Id<'alertRule'>[]): Promise<Array<{ id: Id<'alertRule'>; name: string }>> {
  return tx.many(sql<{ id: Id<'alertRule'>; name: string }>`
    select id, name from alert_rules where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}
