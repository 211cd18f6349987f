import type { z } from 'zod'
import type { ReadTx, TenantTx } from '../../../platform/database.ts'
import { formatId, type Id, type TenantId } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import type { Workspace } from './workspaces.schema.ts'
import * as store from './workspaces.store.ts'

/** A workspace with the settings that everybody starts with, in the transaction of its sign-up. */
export async function createWorkspace(scope: Scope, tx: TenantTx, name: string): Promise<store.WorkspaceRow> {
  const settings: store.WorkspaceSettings = {
    name,
    timezone: 'UTC',
    branding: { logo_url: null, color: null },
    ip_allowlist: [],
    retention: { responses_days: null, deliveries_days: null, exports_days: null },
    quiet_hours: null,
    contact_frequency: null,
  }
  return store.insertWorkspace(tx, settings, scope.clock.now())
}

/** The settings that other features go by: time zone, quiet hours, contact frequency, retention. */
export function readWorkspace(tx: ReadTx): Promise<store.WorkspaceRow> {
  return store.selectWorkspace(tx)
}

/** The same, locked: whoever decides by them and by what was decided before takes turns. */
export function lockWorkspace(tx: TenantTx): Promise<store.WorkspaceRow> {
  return store.lockWorkspace(tx)
}

/** The workspaces that a person may enter, oldest first. */
export function listWorkspacesOf(
  system: SystemScope,
  userId: Id<'user'>,
): Promise<Array<{ tenant_id: TenantId; name: string }>> {
  return system.tx((tx) => store.listOfMember(tx, userId))
}

export function presentWorkspace(row: { tenant_id: TenantId; name: string }): z.output<typeof Workspace> {
  return { id: formatId('workspace', row.tenant_id), name: row.name }
}
