import type { z } from 'zod'
import { Problem } from '../../../http/problem.ts'
import { systemTransaction, type SystemTx } from '../../../platform/database.ts'
import { formatId, newId, type Id } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { hashPassword, verifyPassword } from './passwords.service.ts'
import type { User } from './users.schema.ts'
import * as store from './users.store.ts'

export type { UserRow } from './users.store.ts'

/** Accounts belong to no workspace, so a tenant's scope reaches them by a system transaction. */
type AnyScope = Scope | SystemScope

export function findUserByEmail(scope: AnyScope, email: string): Promise<store.UserRow | undefined> {
  return withoutTenant(scope, (tx) => store.selectByEmail(tx, email))
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
 * Finds the person with this address and password, by exactly one argon2id verification.
 * @throws Problem 401, the same bytes for an unknown address and a wrong password.
 */
export async function authenticateUser(scope: AnyScope, email: string, password: string): Promise<store.UserRow> {
  const user = await findUserByEmail(scope, email)
  const right = await verifyPassword(user?.password_hash ?? null, password)
  if (!user || !right) throw invalidCredentials()
  return user
}

/**
 * Creates an account, or returns the existing one if its password is right.
 * @throws Problem 401 if the address has an account with another password.
 */
export async function enrolUser(
  scope: AnyScope,
  person: { email: string; name: string; password: string },
): Promise<store.UserRow> {
  const { email, name, password } = person
  if (await findUserByEmail(scope, email)) return authenticateUser(scope, email, password)
  const passwordHash = await hashPassword(password)
  const created = await withoutTenant(scope, (tx) =>
    store.insertUser(tx, { id: newId('user'), email, name, passwordHash, now: scope.clock.now() }),
  )
  // Another request took the address while the password was being hashed.
  return created ?? authenticateUser(scope, email, password)
}

/** Runs in the transaction that uses up a reset. Call `endSessions` afterwards; after a crash a sweep does. */
export async function setPassword(tx: SystemTx, id: Id<'user'>, passwordHash: string): Promise<void> {
  await store.updatePassword(tx, id, passwordHash)
}

export function listUsersWithSessionsToEnd(system: SystemScope, limit: number): Promise<Array<Id<'user'>>> {
  return system.tx((tx) => store.listWithSessionsToEnd(tx, limit))
}

export async function recordSessionsEnded(system: SystemScope, id: Id<'user'>): Promise<void> {
  await system.tx((tx) => store.clearSessionsToEnd(tx, id))
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
