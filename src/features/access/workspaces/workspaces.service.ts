import { beginningOfDay, endOfDay } from './days.ts'
import type { LocalDay } from '../../../platform/instant.ts'
import { listTenants } from '../../../platform/directory.ts'
import type { z } from 'zod'
import type { ReadTx, TenantTx } from '../../../platform/database.ts'
import { formatId, type Id, type TenantId } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { OUR_BRANDING } from './org.schema.ts'
import type { Workspace } from './workspaces.schema.ts'
import * as store from './workspaces.store.ts'

/** Creates a workspace with the default settings, in the transaction of its sign-up. */
export async function createWorkspace(scope: Scope, tx: TenantTx, name: string): Promise<store.WorkspaceRow> {
  const settings: store.WorkspaceSettings = {
    name,
    timezone: 'UTC',
    branding: OUR_BRANDING,
    ip_allowlist: [],
    embed_origins: [],
    retention: { responses_days: null, deliveries_days: null, exports_days: null },
    quiet_hours: null,
    contact_frequency: null,
    remember_recipients: true,
    business_hours: null,
    ai: { enabled: false },
  }
  return store.insertWorkspace(tx, settings, scope.clock.now())
}

/** Reads the settings that other features use: time zone, quiet hours, contact frequency, retention. */
export function readWorkspace(tx: ReadTx): Promise<store.WorkspaceRow> {
  return store.selectWorkspace(tx)
}

/** The time that a caller gave. A day means its beginning, or its end, in the time zone of the workspace. */
export async function timeOf<T extends Date | null | undefined>(
  scope: Scope,
  given: T | LocalDay,
  edge: 'beginning' | 'end',
): Promise<T | Date> {
  if (given === null || given === undefined || given instanceof Date) return given
  const { timezone } = await scope.read(readWorkspace)
  return edge === 'beginning' ? beginningOfDay(given.day, timezone) : endOfDay(given.day, timezone)
}

/** The settings that public pages show. */
export type Look = Pick<store.WorkspaceRow, 'name' | 'branding' | 'embed_origins'>

/** Finds them as one text, inside another statement. */
export const LOOK = store.LOOK

export function readLook(text: string): Look {
  const [name, branding, embed_origins] = JSON.parse(text) as [string, Partial<Look['branding']>, string[]]
  return { name, branding: { ...OUR_BRANDING, ...branding }, embed_origins }
}

/** Reads and locks the settings, so that decisions that depend on earlier ones run one after another. */
export function lockWorkspace(tx: TenantTx): Promise<store.WorkspaceRow> {
  return store.lockWorkspace(tx)
}

/** The workspaces that a person can enter, oldest first. */
export function listWorkspacesOf(
  system: SystemScope,
  userId: Id<'user'>,
): Promise<Array<{ tenant_id: TenantId; name: string }>> {
  return system.tx(async (tx) => store.listNames(tx, await listTenants(tx, 'membership', userId)))
}

export function presentWorkspace(row: { tenant_id: TenantId; name: string }): z.output<typeof Workspace> {
  return { id: formatId('workspace', row.tenant_id), name: row.name }
}
