import type { z } from 'zod'
import { notFound, Problem } from '../../../http/problems/problem.ts'
import { systemTransaction, type SystemTx } from '../../../platform/database/database.ts'
import { formatId, newId, type Id, type TenantId } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { freshRecipe, hashPassword, recipeOf } from './passwords.service.ts'
import type { User } from './users.schema.ts'
import * as store from './users.store.ts'

export type { UserRow } from './users.store.ts'

/** Accounts belong to no workspace, so a tenant's scope reaches them by a system transaction. */
type AnyScope = Scope | SystemScope

/** The accounts of an address, the proven one first. Others only claim it (docs/decisions/0045). */
export function listUsersByEmail(scope: AnyScope, email: string): Promise<store.UserRow[]> {
  return withoutTenant(scope, (tx) => store.selectByEmail(tx, email))
}

/** The proven account of an address, else the oldest that claims it. */
export async function findUserByEmail(scope: AnyScope, email: string): Promise<store.UserRow | undefined> {
  return (await listUsersByEmail(scope, email))[0]
}

export async function findUser(scope: AnyScope, id: Id<'user'>): Promise<store.UserRow | undefined> {
  return (await listUsers(scope, [id])).get(id)
}

export async function listUsers(scope: AnyScope, ids: Array<Id<'user'>>): Promise<Map<Id<'user'>, store.UserRow>> {
  if (ids.length === 0) return new Map()
  const rows = await withoutTenant(scope, (tx) => store.selectByIds(tx, ids))
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Finds the person with this address and password, by exactly one argon2id hash. It decides between all accounts of the
 * address, because they have the same salt.
 * @throws Problem 401, the same bytes for an unknown address and a wrong password.
 */
export async function authenticateUser(scope: AnyScope, email: string, password: string): Promise<store.UserRow> {
  const passwordHash = await hashForAddress(scope, email, password)
  const user = await withoutTenant(scope, (tx) => store.selectByPassword(tx, email, passwordHash))
  if (!user) throw invalidCredentials()
  return user
}

interface NewPerson {
  email: string
  name: string
  password: string
}

/**
 * The account with this address and password, or a new one that only claims the address. A caller cannot tell whether
 * the address has other accounts.
 */
export async function enrolUser(
  scope: AnyScope,
  { email, name, password }: NewPerson,
): Promise<{ user: store.UserRow; isNew: boolean }> {
  const passwordHash = await hashForAddress(scope, email, password)
  const known = await withoutTenant(scope, (tx) => store.selectByPassword(tx, email, passwordHash))
  if (known) return { user: known, isNew: false }
  const created = await withoutTenant(scope, (tx) =>
    store.insertUser(tx, { id: newId('user'), email, name, passwordHash, now: scope.clock.now() }),
  )
  // Another request made the same account at the same time.
  const user = created ?? (await withoutTenant(scope, (tx) => store.selectByPassword(tx, email, passwordHash)))
  if (!user) throw invalidCredentials()
  return { user, isNew: created !== undefined }
}

/** A hash for an account of an address. Its salt is that of the others. */
export async function hashForAddress(scope: AnyScope, email: string, password: string): Promise<string> {
  const known = await withoutTenant(scope, (tx) => store.selectAnyHash(tx, email))
  // Also unknown addresses have a salt of their own, so that two sign-ups at once make one account.
  const recipe = known === null ? freshRecipe(scope.secrets.sign(Buffer.from(email), 'password salt')) : recipeOf(known)
  return hashPassword(scope, password, recipe)
}

/**
 * Runs in the transaction that uses up a reset. Call `endSessions` afterwards; after a crash a sweep does.
 * @param kept the session that stays.
 */
export async function setPassword(
  tx: SystemTx,
  { id, email }: Pick<store.UserRow, 'id' | 'email'>,
  passwordHash: string,
  kept: Id<'session'> | null = null,
): Promise<void> {
  await store.removePassword(tx, id, email, passwordHash)
  await store.updatePassword(tx, id, passwordHash, kept)
}

/** Replaces a password that its person has just given, by a session that stays. False if it has changed since. */
export function replaceOwnPassword(
  scope: AnyScope,
  user: store.UserRow,
  passwordHash: string,
  kept: Id<'session'>,
): Promise<boolean> {
  return withoutTenant(scope, async (tx) => {
    if (!(await store.lockPassword(tx, user.id, user.password_hash))) return false
    await setPassword(tx, user, passwordHash, kept)
    return true
  })
}

/** The name of a person, and how they want to see the console. */
export interface PersonSettings {
  name: string
  /** Null is the language of the browser. */
  language: string | null
  preferences: Record<string, unknown>
}

export async function readSettings(scope: AnyScope, id: Id<'user'>): Promise<PersonSettings> {
  return settingsOf(await withoutTenant(scope, (tx) => store.selectSettings(tx, id)))
}

/** Changes them by `change`, one after another. */
export function changeSettings(
  scope: AnyScope,
  id: Id<'user'>,
  change: (before: PersonSettings) => PersonSettings,
): Promise<{ before: PersonSettings; after: PersonSettings }> {
  return withoutTenant(scope, async (tx) => {
    const before = settingsOf(await store.lockSettings(tx, id))
    const after = change(before)
    await store.updateSettings(tx, id, after)
    return { before, after }
  })
}

function settingsOf(row: store.OwnSettings | undefined): PersonSettings {
  if (!row) throw notFound('user')
  return { ...row, preferences: row.preferences ?? {} }
}

/** Makes this the only token that proves the mailbox of an account. */
export async function issueVerification(
  scope: AnyScope,
  id: Id<'user'>,
  token: { hash: string; endsAt: Date },
): Promise<void> {
  await withoutTenant(scope, (tx) => store.updateVerification(tx, id, token))
}

/** The account that this token proves. */
export function findUserByVerification(scope: AnyScope, hash: string): Promise<store.UserRow | undefined> {
  return withoutTenant(scope, (tx) => store.selectByVerification(tx, hash, scope.clock.now()))
}

/** Remembers the workspace to open at the next sign-in. */
export async function rememberWorkspace(
  scope: AnyScope,
  id: Id<'user'>,
  tenantId: TenantId,
  how: 'used' | 'invited',
): Promise<void> {
  await withoutTenant(scope, (tx) =>
    how === 'used' ? store.updateLastWorkspace(tx, id, tenantId) : store.updateInvitedWorkspace(tx, id, tenantId),
  )
}

/** The workspace that a person enters: the one used last, else the newest invited one, else the oldest. */
export function homeOf<W extends { tenant_id: TenantId }>(user: store.UserRow, workspaces: W[]): W | undefined {
  const wanted = [user.last_workspace, user.invited_workspace]
  const found = wanted.map((id) => workspaces.find(({ tenant_id }) => tenant_id === id))
  return found.find((workspace) => workspace !== undefined) ?? workspaces[0]
}

export function listUsersWithSessionsToEnd(
  system: SystemScope,
  limit: number,
): Promise<Array<Pick<store.UserRow, 'id' | 'kept_session'>>> {
  return system.tx((tx) => store.listWithSessionsToEnd(tx, limit))
}

export async function recordSessionsEnded(system: SystemScope, id: Id<'user'>): Promise<void> {
  await system.tx((tx) => store.clearSessionsToEnd(tx, id))
}

export function isProven(user: store.UserRow | undefined): boolean {
  return (user?.verified_at ?? null) !== null
}

export function invalidCredentials(): Problem {
  return new Problem(401, 'invalid_credentials', { detail: 'The email address or the password is wrong.' })
}

export function presentUser(user: store.UserRow): z.output<typeof User> {
  return { id: formatId('user', user.id), name: user.name, email: user.email }
}

function withoutTenant<T>(scope: AnyScope, work: (tx: SystemTx) => Promise<T>): Promise<T> {
  return systemTransaction(scope.ports.database, work)
}
