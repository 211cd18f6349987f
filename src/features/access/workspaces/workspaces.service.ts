import { beginningOfLocalDay, endOfLocalDay, type LocalDay } from '../../../platform/instant.ts'
import { listTenants } from '../../../platform/database/directory.ts'
import type { z } from 'zod'
import { systemTransaction, type ReadTx, type TenantTx } from '../../../platform/database/database.ts'
import { Problem } from '../../../http/problems/problem.ts'
import { formatId, type Id, type TenantId } from '../../../platform/ids.ts'
import type { Scope, SystemScope, Days } from '../../../platform/scope.ts'
import { OUR_LOOK } from '../../../platform/look/look-schema.ts'
import type { Workspace, Retention } from './org.schema.ts'
import * as store from './workspaces.store.ts'
import { acrossTenants } from '../../../platform/work/across-tenants.ts'
import { shorter } from '../../../platform/work/retention.ts'

// Other features run these statements as they are.
export { lockWorkspace } from './workspaces.store.ts'

/** Creates a workspace with the default settings, in the transaction of its sign-up. */
export async function createWorkspace(
  scope: Scope,
  tx: TenantTx,
  name: string,
  { unproven }: { unproven: boolean },
): Promise<store.WorkspaceRow> {
  const settings: store.WorkspaceSettings = {
    name,
    timezone: 'UTC',
    branding: OUR_LOOK,
    ip_allowlist: [],
    embed_origins: [],
    retention: { responses_days: null, deliveries_days: null, exports_days: null },
    quiet_hours: null,
    contact_frequency: null,
    remember_recipients: true,
    business_hours: null,
    ai: { enabled: false },
  }
  return store.insertWorkspace(tx, settings, { unproven, now: scope.clock.now() })
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
  return edge === 'beginning' ? beginningOfLocalDay(given.day, timezone) : endOfLocalDay(given.day, timezone)
}

/** Whether the workspace may send: in development always, else from the proof of its maker's mailbox on. */
export async function maySend(scope: Scope, tx: ReadTx): Promise<boolean> {
  return !scope.settings.production || !(await store.isUnproven(tx))
}

/** @throws Problem 403 `unverified` while the workspace may not send. */
export async function requireProven(scope: Scope): Promise<void> {
  if (!scope.settings.production || (await scope.read((tx) => maySend(scope, tx)))) return
  throw new Problem(403, 'unverified', {
    detail:
      'Nobody has proved the mailbox of the person who made this workspace, so it sends no mail, SMS or call and ' +
      'invites nobody. Open the link in the mail of the sign-up. POST /v1/me/verification sends it again.',
  })
}

/** Lets the workspace send, in the transaction that follows the proof. */
export async function recordProven(tx: TenantTx): Promise<void> {
  await store.updateProven(tx)
}

/** Whether the server has this workspace alone. */
export function isOnlyWorkspace(scope: Scope): Promise<boolean> {
  return systemTransaction(scope.ports.database, store.isOnly)
}

export function hasWorkspaces(system: SystemScope): Promise<boolean> {
  return system.tx(store.isAny)
}

/** Names of some workspaces, oldest first. */
export function listNames(system: SystemScope, ids: TenantId[]): Promise<Array<{ tenant_id: TenantId; name: string }>> {
  return system.tx((tx) => store.listNames(tx, ids))
}

/** The settings that public pages show. */
export type Look = Pick<store.WorkspaceRow, 'name' | 'branding' | 'embed_origins'>

/** Finds them as one text, inside another statement. */
export const LOOK = store.LOOK

export function readLook(text: string): Look {
  const [name, branding, embed_origins] = JSON.parse(text) as [string, Partial<Look['branding']>, string[]]
  return { name, branding: { ...OUR_LOOK, ...branding }, embed_origins }
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

/** How many days each workspace keeps rows: the operator's setting, or less if the workspace set less. */
export async function readDays(
  system: SystemScope,
  operator: Days,
  setting: keyof Retention,
): Promise<(tenantId: TenantId) => Days> {
  const rows = await acrossTenants(system, (tx, among) => store.listOwnDays(tx, among, setting))
  const own = new Map(rows.map((row) => [row.tenant_id, row.days]))
  return (tenantId) => shorter(operator, own.get(tenantId))
}
