import { OUR_LOOK } from '../../../platform/look/look-schema.ts'
import {
  json,
  type ReadTx,
  sql,
  type SystemTx,
  type TenantTx,
  type ValueQuery,
} from '../../../platform/database/database.ts'
import type { TenantId } from '../../../platform/ids.ts'
import type { Ai, Branding, BusinessHours, ContactFrequency, QuietHours, Retention } from './org.schema.ts'
import type { Among } from '../../../platform/work/across-tenants.ts'

export interface WorkspaceRow {
  tenant_id: TenantId
  name: string
  timezone: string
  branding: Branding
  ip_allowlist: string[]
  embed_origins: string[]
  retention: Retention
  quiet_hours: QuietHours | null
  contact_frequency: ContactFrequency | null
  remember_recipients: boolean
  business_hours: BusinessHours | null
  ai: Ai
  created_at: Date
  updated_at: Date
}

export type WorkspaceSettings = Omit<WorkspaceRow, 'tenant_id' | 'created_at' | 'updated_at'>

const COLUMNS = sql`tenant_id, name, timezone, ${json(OUR_LOOK)} || branding as branding, ip_allowlist, retention, quiet_hours, contact_frequency, remember_recipients, business_hours, ai, embed_origins, created_at, updated_at`

export function insertWorkspace(
  tx: TenantTx,
  settings: WorkspaceSettings,
  { unproven, now }: { unproven: boolean; now: Date },
): Promise<WorkspaceRow> {
  return tx.one(sql<WorkspaceRow>`
    insert into workspaces (tenant_id, name, timezone, branding, ip_allowlist, retention, quiet_hours, contact_frequency,
      remember_recipients, business_hours, ai, embed_origins, unproven, created_at, updated_at)
    values (${tx.tenantId}, ${settings.name}, ${settings.timezone}, ${json(settings.branding)}, ${settings.ip_allowlist}::text[],
      ${json(settings.retention)}, ${jsonOrNull(settings.quiet_hours)}, ${jsonOrNull(settings.contact_frequency)},
      ${settings.remember_recipients}, ${jsonOrNull(settings.business_hours)}, ${json(settings.ai)},
      ${settings.embed_origins}::text[], ${unproven}, ${now}, ${now})
    returning ${COLUMNS}`)
}

export function selectWorkspace(tx: ReadTx): Promise<WorkspaceRow> {
  return tx.one(sql<WorkspaceRow>`select ${COLUMNS} from workspaces where tenant_id = ${tx.tenantId}`)
}

/** The settings that public pages show, as one text: a JSON array. */
export const LOOK: ValueQuery = {
  text: `select jsonb_build_array(w.name, w.branding, w.embed_origins)::text from workspaces w where w.tenant_id = $1`,
  values: [],
}

/** Reads and locks the settings, so that decisions that depend on earlier ones run one after another. */
export function lockWorkspace(tx: TenantTx): Promise<WorkspaceRow> {
  return tx.one(sql<WorkspaceRow>`select ${COLUMNS} from workspaces where tenant_id = ${tx.tenantId} for update`)
}

export function updateWorkspace(tx: TenantTx, settings: WorkspaceSettings, now: Date): Promise<WorkspaceRow> {
  return tx.one(sql<WorkspaceRow>`
    update workspaces set name = ${settings.name}, timezone = ${settings.timezone}, branding = ${json(settings.branding)},
      ip_allowlist = ${settings.ip_allowlist}::text[], retention = ${json(settings.retention)}, quiet_hours = ${jsonOrNull(settings.quiet_hours)},
      contact_frequency = ${jsonOrNull(settings.contact_frequency)},
      remember_recipients = ${settings.remember_recipients}, business_hours = ${jsonOrNull(settings.business_hours)},
      ai = ${json(settings.ai)}, embed_origins = ${settings.embed_origins}::text[], updated_at = ${now}
    where tenant_id = ${tx.tenantId}
    returning ${COLUMNS}`)
}

export async function isUnproven(tx: ReadTx): Promise<boolean> {
  const row = await tx.maybe(
    sql<{ unproven: boolean }>`select unproven from workspaces where tenant_id = ${tx.tenantId}`,
  )
  return row?.unproven ?? false
}

export function updateProven(tx: TenantTx): Promise<number> {
  return tx.run(sql`update workspaces set unproven = false where tenant_id = ${tx.tenantId}`)
}

/** Names of some workspaces, oldest first. */
export function listNames(tx: SystemTx, ids: TenantId[]): Promise<Array<{ tenant_id: TenantId; name: string }>> {
  return tx.many(sql<{ tenant_id: TenantId; name: string }>`
    select tenant_id, name from workspaces where tenant_id = any(${ids}::uuid[]) order by tenant_id`)
}

function jsonOrNull(value: object | null) {
  return value === null ? sql`null::jsonb` : json(value)
}

export async function isAny(tx: SystemTx): Promise<boolean> {
  const rows = await tx.many(sql<{ tenant_id: TenantId }>`select tenant_id from workspaces limit 1`)
  return rows.length > 0
}

/** Whether the server has no second workspace. */
export async function isOnly(tx: SystemTx): Promise<boolean> {
  const rows = await tx.many(sql<{ tenant_id: TenantId }>`select tenant_id from workspaces limit 2`)
  return rows.length === 1
}

/** The workspaces that set their own number of days. */
export function listOwnDays(
  tx: SystemTx,
  { reachable }: Among,
  setting: keyof Retention,
): Promise<Array<{ tenant_id: TenantId; days: number }>> {
  return tx.many(sql<{ tenant_id: TenantId; days: number }>`
    select tenant_id, (retention ->> ${setting})::int as days from workspaces where retention ->> ${setting} is not null and ${reachable}`)
}
