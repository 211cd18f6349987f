import type { SystemTx } from '../../../platform/database/database.ts'
import { listTenants } from '../../../platform/database/directory.ts'
import { formatId, parseId, type Id, type TenantId } from '../../../platform/ids.ts'
import { quotedName } from '../../../platform/text/names.ts'
import { type SystemScope, signalOf } from '../../../platform/scope.ts'
import { listNames } from '../workspaces/workspaces.service.ts'
import { isProven } from './users.service.ts'
import * as store from './users.store.ts'

const SHOWN_WORKSPACES = 50

/** The effect of a proof in one workspace of an account. */
export interface ProvenHere {
  id: Id<'user'>
  /** The proven account of the address. */
  into: Id<'user'>
  /** Whether the workspace stays the person's. */
  keeps: boolean
  /** Whether the sessions and keys of before end. */
  ends: boolean
}

/** A mailbox was proved, and a workspace of an account of its address follows. */
export const PROVEN = signalOf<ProvenHere>('account.proven')

/** A workspace that an unproven account made. The name is in quotes, because a stranger may have chosen it. */
export interface Claimed {
  id: string
  name: string
}

/**
 * The workspaces that a proof decides about: those made by accounts that only claim the address. None once it is
 * proven.
 */
export async function listClaimed(system: SystemScope, email: string): Promise<Claimed[]> {
  const ids = await system.tx(async (tx) => {
    const accounts = await store.selectByEmail(tx, email)
    return accounts.some(isProven) ? [] : workspacesOf(tx, accounts)
  })
  const rows = await listNames(system, ids.slice(-SHOWN_WORKSPACES))
  return rows.map((row) => ({ id: formatId('workspace', row.tenant_id), name: quotedName(row.name) }))
}

/**
 * Proves an account by its mailed link, in the caller's transaction. Its sessions, keys and workspaces stay. If another
 * account of the address is proven already, that one takes its workspaces over.
 */
async function proveByLink(tx: SystemTx, user: store.UserRow, now: Date): Promise<void> {
  const accounts = await store.lockByEmail(tx, user.email)
  const own = accounts.find(({ id }) => id === user.id)
  if (!own || isProven(own)) return
  const proven = accounts.find(isProven)
  if (!proven) await store.updateVerified(tx, own.id, now)
  await store.updateSettling(tx, own.id, {
    into: (proven ?? own).id,
    keep: await workspacesOf(tx, [own]),
    drop: [],
    ends: proven !== undefined,
  })
}

/** Proves an account as its mailed link does, and works it off. */
export async function proveAccount(system: SystemScope, user: store.UserRow): Promise<void> {
  await system.tx((tx) => proveByLink(tx, user, system.clock.now()))
  await settleProof(system, user.email)
}

/** Proves an account by an invitation, and works it off. */
export async function proveByMailbox(system: SystemScope, user: store.UserRow, keep: string[]): Promise<void> {
  await system.tx((tx) => recordMailbox(tx, user, keep, system.clock.now()))
  await settleProof(system, user.email)
}

/**
 * Proves an account by an invitation or a reset, in the caller's transaction. Somebody else may have made it, or
 * another account of the address: their sessions and keys end, and only the workspaces in `keep` stay the person's.
 */
export async function recordMailbox(tx: SystemTx, user: store.UserRow, keep: string[], now: Date): Promise<void> {
  const kept = new Set(keep.map((text) => parseId('workspace', text)))
  const accounts = await store.lockByEmail(tx, user.email)
  if (accounts.some(isProven)) return
  await store.updateVerified(tx, user.id, now)
  for (const account of accounts) {
    const made = await workspacesOf(tx, [account])
    await store.updateSettling(tx, account.id, {
      into: user.id,
      keep: made.filter((id) => kept.has(id)),
      drop: made.filter((id) => !kept.has(id)),
      ends: true,
    })
  }
}

/** Works off what a proof decided. After a crash a sweep does. */
export async function settleProof(system: SystemScope, email: string): Promise<void> {
  for (const { id, settling } of await system.tx((tx) => store.listSettling(tx, email)))
    await settle(system, id, settling)
}

/** Returns the number of accounts. */
export async function settleProofs(system: SystemScope, limit: number): Promise<number> {
  const accounts = await system.tx((tx) => store.listAllSettling(tx, limit))
  for (const { id, settling } of accounts) await settle(system, id, settling)
  return accounts.length
}

async function settle(system: SystemScope, id: Id<'user'>, { into, keep, drop, ends }: store.Settling): Promise<void> {
  for (const tenantId of [...keep, ...drop]) {
    const scope = system.tenant(tenantId, { type: 'system' })
    const proven = { id, into, keeps: !drop.includes(tenantId), ends }
    await scope.tx((tx) => scope.signals.emit(PROVEN, scope, tx, proven))
  }
  await system.tx((tx) => (into === id ? store.clearSettling(tx, id) : store.deleteUser(tx, id)))
}

async function workspacesOf(tx: SystemTx, accounts: store.UserRow[]): Promise<TenantId[]> {
  const found: TenantId[] = []
  for (const { id } of accounts) found.push(...(await listTenants(tx, 'membership', id)))
  return found.toSorted()
}
