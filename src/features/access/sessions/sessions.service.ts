import type { z } from 'zod'
import { acrossTenants } from '../../../platform/work/across-tenants.ts'
import { Problem, unauthorized, unprocessable } from '../../../http/problems/problem.ts'
import { audit, auditOf, auditTarget, auditUser } from '../../../platform/audit.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import { register, unregister } from '../../../platform/database/directory.ts'
import { newId, newIdAt, parseId, type Id } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { hashToken } from '../../../platform/config/secrets.ts'
import { newToken } from '../../../platform/config/tokens.ts'
import { PLATFORM_TENANT } from '../mail/mail.service.ts'
import {
  authenticateUser,
  findUser,
  findUserByEmail,
  homeOf,
  invalidCredentials,
  presentUser,
  rememberWorkspace,
  type UserRow,
} from '../users/users.service.ts'
import { listWorkspacesOf, presentWorkspace } from '../workspaces/workspaces.service.ts'
import { endSessions } from './ending.service.ts'
import { sealOrigin } from './session-origin.ts'
import { limitAttempts, type AttemptCounter } from './sign-in-attempts.service.ts'
import type { SignedIn } from './sessions.schema.ts'
import * as store from './sessions.store.ts'

const audited = auditOf('user')

const SYSTEM = { type: 'system' } as const

export interface NewSession {
  id: Id<'session'>
  token: string
  expiresAt: Date
}

/**
 * Signs a person in to the workspace that they used last.
 * @throws Problem 401 `invalid_credentials`; 403 `no_workspace`; 429 after too many wrong passwords.
 */
export async function signIn(
  system: SystemScope,
  { email, password }: { email: string; password: string },
  counter: AttemptCounter,
): Promise<z.input<typeof SignedIn>> {
  const user = await limitAttempts(system, counter, email, () => authenticateUser(system, email, password)).catch(
    async (error: unknown) => {
      if (error instanceof Problem && error.code === 'invalid_credentials') await recordFailure(system, email)
      throw error
    },
  )
  const signedIn = await enterWorkspace(system, user)
  await requireSamePassword(system, user)
  return signedIn
}

/**
 * Checks a new session. If the password changed after `user` was read, the older sessions ended, but perhaps before
 * this one was opened.
 * @throws Problem 401 if the person's sessions have ended.
 */
export async function requireSamePassword(
  system: SystemScope,
  user: UserRow,
  refusal = invalidCredentials(),
): Promise<void> {
  if ((await findUser(system, user.id))?.password_hash === user.password_hash) return
  await endSessions(system, user.id)
  throw refusal
}

/** Starts a session for an authenticated person, in `workspaceId` or the one that they used last. */
export async function enterWorkspace(
  system: SystemScope,
  user: UserRow,
  workspaceId?: string,
  expiresAt?: Date,
): Promise<z.input<typeof SignedIn>> {
  const workspaces = await listWorkspacesOf(system, user.id)
  const workspace =
    workspaceId === undefined
      ? homeOf(user, workspaces)
      : workspaces.find((candidate) => candidate.tenant_id === workspaceId)
  if (!workspace)
    throw new Problem(403, 'no_workspace', {
      detail: 'This account is not a member of any workspace. Accept an invitation or create a workspace.',
    })
  const scope = system.tenant(workspace.tenant_id, SYSTEM)
  const session = await scope.tx((tx) => {
    audited(scope, tx, 'sign_in', user.id, { actor: auditUser(user.id) })
    return openSession(scope, tx, user.id, expiresAt)
  })
  await rememberWorkspace(system, user.id, workspace.tenant_id, 'used')
  return {
    ...presentSession(session),
    user: presentUser(user),
    workspace: presentWorkspace(workspace),
    workspaces: workspaces.map(presentWorkspace),
  }
}

/** Opens a session in the transaction's workspace. Only the caller gets its token. */
export async function openSession(
  scope: Scope,
  tx: TenantTx,
  userId: Id<'user'>,
  expiresAt?: Date,
): Promise<NewSession> {
  const now = scope.clock.now()
  const session = {
    id: newIdAt('session', now),
    token: newToken('session'),
    expiresAt: expiresAt ?? new Date(now.getTime() + ABSOLUTE_MS),
  }
  const tokenHash = hashToken(session.token)
  await store.insertSession(tx, {
    id: session.id,
    userId,
    tokenHash,
    now,
    validUntil: validUntil(now, session.expiresAt),
    expiresAt: session.expiresAt,
    sealed: sealOrigin(scope.secrets, session.id, scope.origin),
  })
  await register(tx, 'session', [tokenHash])
  return session
}

/**
 * Moves the caller's session to another of their workspaces. The token changes, the absolute end stays.
 * @throws Problem 403 `session_required` for an API key; 422 for a workspace that is not theirs; 401 if the session has
 * ended or a new password is about to end it.
 */
export async function switchWorkspace(
  system: SystemScope,
  scope: Scope,
  body: { workspace_id: string },
): Promise<z.input<typeof SignedIn>> {
  const { id, sessionId } = requireSession(scope)
  const workspaceId = parseId('workspace', body.workspace_id)
  const workspaces = await listWorkspacesOf(system, id)
  if (!workspaces.some((workspace) => workspace.tenant_id === workspaceId) || !workspaceId) {
    throw unprocessable('unknown_workspace', [
      { path: 'workspace_id', message: 'You are not a member of this workspace.' },
    ])
  }
  const user = await findUser(scope, id)
  // After a new password, sessions end in one workspace after another. A session must not move into a finished one.
  if (!user || user.sessions_to_end) throw unauthorized()
  const ended = await deleteSession(scope, id, sessionId)
  if (!ended) throw unauthorized()
  const signedIn = await enterWorkspace(system, user, workspaceId, ended.expires_at)
  await requireSamePassword(system, user, unauthorized())
  return signedIn
}

/** @throws Problem 403 `session_required` for an API key. */
export async function endSession(scope: Scope): Promise<void> {
  const { id, sessionId } = requireSession(scope)
  await deleteSession(scope, id, sessionId)
}

/** Removes expired sessions and their directory entries. Returns the number. */
export async function removeEndedSessions(system: SystemScope, limit: number): Promise<number> {
  const now = system.clock.now()
  let removed = 0
  for (const tenantId of await acrossTenants(system, (tx, among) =>
    store.listTenantsWithEnded(tx, among, now, limit),
  )) {
    removed += await system.tenant(tenantId, SYSTEM).tx(async (tx) => {
      const hashes = await store.deleteEnded(tx, now, limit)
      await unregister(tx, 'session', hashes)
      return hashes.length
    })
  }
  return removed
}

export function presentSession(session: NewSession): { token: string; expires_at: string } {
  return { token: session.token, expires_at: session.expiresAt.toISOString() }
}

async function deleteSession(scope: Scope, userId: Id<'user'>, id: Id<'session'>) {
  return scope.tx(async (tx) => {
    const ended = await store.deleteSession(tx, id, userId)
    if (!ended) return undefined
    await unregister(tx, 'session', [ended.token_hash])
    audited(scope, tx, 'sign_out', userId)
    return ended
  })
}

/**
 * Records a wrong password in the workspace that the person would have entered. An unknown address takes the same way,
 * to a log that nobody reads, so that the time of the answer does not tell whether there is an account.
 */
async function recordFailure(system: SystemScope, email: string): Promise<void> {
  const user = await findUserByEmail(system, email)
  const workspaces = await listWorkspacesOf(system, user?.id ?? newId('user'))
  const workspace = user && homeOf(user, workspaces)
  const scope = system.tenant(workspace?.tenant_id ?? PLATFORM_TENANT, SYSTEM)
  const target = user ? auditTarget('user', user.id) : null
  await scope.tx(async (tx) =>
    audit(scope, tx, { action: 'user.sign_in', target, outcome: 'failed', actor: { type: 'anonymous', id: null } }),
  )
}

/** @throws Problem 403 `session_required` for an API key. */
export function requireSession(scope: Scope): { id: Id<'user'>; sessionId: Id<'session'> } {
  if (scope.principal.type === 'user') return scope.principal
  throw new Problem(403, 'session_required', { detail: 'An API key has no session. Sign in as a person.' })
}

const HOUR_MS = 3_600_000

const IDLE_MS = 12 * HOUR_MS
const ABSOLUTE_MS = 30 * 24 * HOUR_MS
// A write at every request would cost more than the request.
const TOUCH_MS = 60_000
const SEEN_MS = 5 * 60_000

/** The end of a session that is used now: 12 hours from now, but never after its absolute end. */
export function validUntil(now: Date, expiresAt: Date): Date {
  return new Date(Math.min(now.getTime() + IDLE_MS, expiresAt.getTime()))
}

/** Whether `last_seen_at` of a member is five minutes old. */
export function needsSeenUpdate(lastSeenAt: Date | null, now: Date): boolean {
  return lastSeenAt === null || now.getTime() - lastSeenAt.getTime() >= SEEN_MS
}

export function needsTouch(lastUsedAt: Date | null, now: Date): boolean {
  return lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= TOUCH_MS
}
