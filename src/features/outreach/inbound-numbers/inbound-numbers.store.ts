import { json, type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { PageRequest } from '../../../platform/fields/sorting.ts'
import type { InboundNumberRow, NumberSettings } from './number-choice.ts'

const COLUMNS = sql.raw(
  'id, number, label, capabilities, keywords, default_survey_id, language, timezone, quiet_hours, created_at, ' +
    'updated_at',
)

export function insertNumber(
  tx: TenantTx,
  id: Id<'inboundNumber'>,
  number: string,
  row: NumberSettings,
  now: Date,
): Promise<InboundNumberRow> {
  return tx.one(sql<InboundNumberRow>`
    insert into inbound_numbers (tenant_id, id, number, label, capabilities, keywords, default_survey_id, language, timezone, quiet_hours, created_at, updated_at)
    values (${tx.tenantId}, ${id}, ${number}, ${row.label}, ${row.capabilities}::text[], ${json(row.keywords)}, ${row.default_survey_id}, ${row.language},
      ${row.timezone}, ${row.quiet_hours && json(row.quiet_hours)}, ${now}, ${now})
    returning ${COLUMNS}`)
}

export function updateNumber(
  tx: TenantTx,
  id: Id<'inboundNumber'>,
  row: NumberSettings,
  now: Date,
): Promise<InboundNumberRow> {
  return tx.one(sql<InboundNumberRow>`
    update inbound_numbers set label = ${row.label}, capabilities = ${row.capabilities}::text[], keywords = ${json(row.keywords)},
      default_survey_id = ${row.default_survey_id}, language = ${row.language}, timezone = ${row.timezone},
      quiet_hours = ${row.quiet_hours && json(row.quiet_hours)}, updated_at = ${now}
    where tenant_id = ${tx.tenantId} and id = ${id}
    returning ${COLUMNS}`)
}

export async function deleteNumber(tx: TenantTx, id: Id<'inboundNumber'>): Promise<string | undefined> {
  const row = await tx.maybe(
    sql<{
      number: string
    }>`delete from inbound_numbers where tenant_id = ${tx.tenantId} and id = ${id} returning number`,
  )
  return row?.number
}

export function findNumber(tx: ReadTx, id: Id<'inboundNumber'>): Promise<InboundNumberRow | undefined> {
  return tx.maybe(
    sql<InboundNumberRow>`select ${COLUMNS} from inbound_numbers where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

export function lockNumber(tx: TenantTx, id: Id<'inboundNumber'>): Promise<InboundNumberRow | undefined> {
  return tx.maybe(
    sql<InboundNumberRow>`select ${COLUMNS} from inbound_numbers where tenant_id = ${tx.tenantId} and id = ${id} for update`,
  )
}

export async function findByNumber(tx: ReadTx, number: string): Promise<InboundNumberRow | undefined> {
  const rows = await tx.prepared<InboundNumberRow>({
    name: 'find-inbound-number',
    text:
      'select id, number, label, capabilities, keywords, default_survey_id, language, timezone, quiet_hours, ' +
      'created_at, updated_at from inbound_numbers where tenant_id = $1 and number = $2',
    values: [tx.tenantId, number],
  })
  return rows[0]
}

export function listNumbers(tx: ReadTx, page: PageRequest): Promise<InboundNumberRow[]> {
  return tx.many(sql<InboundNumberRow>`
    select ${COLUMNS} from inbound_numbers where tenant_id = ${tx.tenantId} and ${page.before ? sql`id < ${page.before}` : sql`true`}
    order by id desc limit ${page.limit + 1}`)
}

/** Numbers with a capability, oldest first. */
export function listCapable(tx: ReadTx, capability: 'sms' | 'voice'): Promise<InboundNumberRow[]> {
  return tx.many(sql<InboundNumberRow>`
    select ${COLUMNS} from inbound_numbers where tenant_id = ${tx.tenantId} and capabilities @> array[${capability}]::text[] order by id`)
}

export async function countNumbers(tx: ReadTx): Promise<number> {
  return (
    await tx.one(sql<{ n: number }>`select count(*)::int as n from inbound_numbers where tenant_id = ${tx.tenantId}`)
  ).n
}
