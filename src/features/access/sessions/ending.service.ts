import { auditOf, auditUser } from '../../../platform/audit.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import { listTenants, unregister } from '../../../platform/database/directory.ts'
import type { Id } from '../../../platform/ids.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import { PLATFORM_TENANT, stageEmail } from '../mail/mail.service.ts'
import { findUser, listUsersWithSessionsToEnd, readSettings, recordSessionsEnded } from '../users/users.service.ts'
import { passwordChangedLetter } from './password-changed-letter.ts'
import * as store from './sessions.store.ts'

const audited = auditOf('user')

const SYSTEM = { type: 'system' } as const

/** Ends a person's sessions in one workspace, in the transaction that ends the membership. */
export async function endSessionsHere(
  tx: TenantTx,
  userId: Id<'user'>,
  kept: Id<'session'> | null = null,
): Promise<Array<Id<'session'>>> {
  const ended = await store.deleteOfUser(tx, userId, kept)
  await unregister(
    tx,
    'session',
    ended.map(({ token_hash }) => token_hash),
  )
  return ended.map(({ id }) => id)
}

/**
 * Ends a person's sessions in all workspaces, but for the session that set their password. Each workspace records
 * `cause`; after a crash, perhaps twice.
 */
export async function endSessions(
  system: SystemScope,
  userId: Id<'user'>,
  cause?: 'reset_password' | 'password_change',
  actor = auditUser(userId),
): Promise<void> {
  const kept = (await findUser(system, userId))?.kept_session ?? null
  for (const tenantId of await system.tx((tx) => listTenants(tx, 'membership', userId))) {
    const scope = system.tenant(tenantId, SYSTEM)
    await scope.tx(async (tx) => {
      await endSessionsHere(tx, userId, kept)
      if (cause) audited(scope, tx, cause, userId, { actor })
    })
  }
  await recordSessionsEnded(system, userId)
}

/** Everything that follows when a person has changed their own password. @param language of the mail, unless chosen. */
export async function finishPasswordChange(system: SystemScope, userId: Id<'user'>, language = 'en'): Promise<void> {
  const settings = await readSettings(system, userId)
  const scope = system.tenant(PLATFORM_TENANT, SYSTEM)
  await scope.tx((tx) =>
    stageEmail(scope, tx, {
      kind: 'password_changed',
      to: { userId },
      ...passwordChangedLetter(settings.language ?? language),
    }),
  )
  await endSessions(system, userId, 'password_change')
}

/** Ends the sessions that a crash after a new password left open. Returns the number of people. */
export async function endOverdueSessions(system: SystemScope, limit: number): Promise<number> {
  const users = await listUsersWithSessionsToEnd(system, limit)
  for (const { id, kept_session } of users) {
    if (kept_session === null) await endSessions(system, id, 'reset_password')
    else await finishPasswordChange(system, id)
  }
  return users.length
}
