import { json, type ReadTx, sql, type SystemTx, type TenantTx } from '../../../platform/database.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'
import type { Branding, ContactFrequency, QuietHours, Retention } from './org.schema.ts'

export interface WorkspaceRow {
  tenant_id: TenantId
  name: string
  timezone: string
  branding: Branding
  ip_allowlist: string[]
  retention: Retention
  quiet_hours: QuietHours | null
  contact_frequency: ContactFrequency | null
  created_at: Date
  updated_at: Date
}

export type WorkspaceSettings = Omit<WorkspaceRow, 'tenant_id' | 'created_at' | 'updated_at'>

const COLUMNS = sql`tenant_id, name, timezone, branding, ip_allowlist, retention, quiet_hours, contact_frequency, created_at, updated_at`

export function insertWorkspace(tx: TenantTx, settings: WorkspaceSettings, now: Date): Promise<WorkspaceRow> {
  return tx.one(sql<WorkspaceRow>`
    insert into workspaces (tenant_id, name, timezone, branding, ip_allowlist, retention, quiet_hours, contact_frequency, created_at, updated_at)
    values (${tx.tenantId}, ${settings.name}, ${settings.timezone}, ${json(settings.branding)}, ${settings.ip_allowlist}::text[],
      ${json(settings.retention)}, ${jsonOrNull(settings.quiet_hours)}, ${jsonOrNull(settings.contact_frequency)}, ${now}, ${now})
    returning ${COLUMNS}`)
}

export function selectWorkspace(tx: ReadTx): Promise<WorkspaceRow> {
  return tx.one(sql<WorkspaceRow>`select ${COLUMNS} from workspaces where tenant_id = ${tx.tenantId}`)
}

export function lockWorkspace(tx: TenantTx): Promise<WorkspaceRow> {
  return tx.one(sql<WorkspaceRow>`select ${COLUMNS} from workspaces where tenant_id = ${tx.tenantId} for update`)
}

export function updateWorkspace(tx: TenantTx, settings: WorkspaceSettings, now: Date): Promise<WorkspaceRow> {
  return tx.one(sql<WorkspaceRow>`
    update workspaces set name = ${settings.name}, timezone = ${settings.timezone}, branding = ${json(settings.branding)},
      ip_allowlist = ${settings.ip_allowlist}::text[], retention = ${json(settings.retention)}, quiet_hours = ${jsonOrNull(settings.quiet_hours)},
      contact_frequency = ${jsonOrNull(settings.contact_frequency)}, updated_at = ${now}
    where tenant_id = ${tx.tenantId}
    returning ${COLUMNS}`)
}

/** Names of a person's workspaces, oldest first. */
export function listOfMember(tx: SystemTx, userId: Id<'user'>): Promise<Array<{ tenant_id: TenantId; name: string }>> {
  return tx.many(sql<{ tenant_id: TenantId; name: string }>`
    select w.tenant_id, w.name from workspaces w
    join directory d on d.tenant_id = w.tenant_id
    where d.kind = 'membership' and d.key = ${userId}
    order by w.tenant_id`)
}

function jsonOrNull(value: object | null) {
  return value === null ? sql`null::jsonb` : json(value)
}
