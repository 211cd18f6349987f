import { uuidv7 } from 'uuidv7'
import { notFound } from '../../../http/problems/problem.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import { hashToken } from '../../../platform/config/secrets.ts'
import { isToken, newToken } from '../../../platform/config/tokens.ts'
import { PLATFORM_TENANT, stageEmail } from '../mail/mail.service.ts'
import { endSessions } from '../sessions/ending.service.ts'
import { rememberAddress } from '../sessions/sign-in-attempts.service.ts'
import { listClaimed, recordMailbox, settleProof, type Claimed } from '../users/proof.service.ts'
import { findUser, findUserByEmail, hashForAddress, setPassword, type UserRow } from '../users/users.service.ts'
import * as store from './password-resets.store.ts'
import { resetLetter } from './reset-letter.ts'

/** The wake topic of requests for a new password. */
export const PASSWORD_RESETS = 'password-resets'

const LIFETIME_MS = 3_600_000
const LEASE_MS = 60_000
const SYSTEM_ACTOR = { type: 'system', id: null } as const

/** Only stores the request. A background step looks up the address, so that the answer does not reveal it. */
export async function requestPasswordReset(system: SystemScope, email: string, language: string): Promise<void> {
  const now = system.clock.now()
  await system.tx((tx) =>
    store.insertRequest(tx, { id: uuidv7(), email, language, now, expiresAt: new Date(now.getTime() + LIFETIME_MS) }),
  )
  system.ports.queue.wake(PASSWORD_RESETS, { tenantId: PLATFORM_TENANT, group: PASSWORD_RESETS, ids: [] })
}

/** Mails a token for each request whose address has an account. Returns the number of requests. */
export async function mailRequestedResets(system: SystemScope, limit: number): Promise<number> {
  const now = system.clock.now()
  await system.tx((tx) => store.deleteExpired(tx, now, limit))
  const requests = await system.tx((tx) =>
    store.claimRequests(tx, { now, leaseUntil: new Date(now.getTime() + LEASE_MS), limit }),
  )
  for (const request of requests) await mailReset(system, request)
  return requests.length
}

export interface OpenReset {
  /** The person chooses which of them to keep. */
  claimed: Claimed[]
}

/** @throws Problem 404 for a token that is unknown, used or expired. */
export async function readReset(system: SystemScope, token: string): Promise<OpenReset> {
  const { email } = await requireReset(system, token)
  return { claimed: await listClaimed(system, email) }
}

async function requireReset(system: SystemScope, token: string): Promise<UserRow> {
  if (!isToken('passwordReset', token)) throw notFound()
  const now = system.clock.now()
  const reset = await system.tx((tx) => store.selectByToken(tx, hashToken(token), now))
  const asked = reset && (await findUser(system, reset.user_id))
  if (!asked) throw notFound()
  // Another account of the address may have been proven since.
  return (await findUserByEmail(system, asked.email)) ?? asked
}

/**
 * Sets a new password with a mailed token, once, and ends all sessions of the person. It proves the mailbox.
 * @param keep workspaces of an unproven account that stay the person's.
 * @throws Problem 404 for a token that is unknown, used or expired.
 */
export async function resetPassword(
  system: SystemScope,
  token: string,
  password: string,
  keep: string[],
): Promise<void> {
  const user = await requireReset(system, token)
  const now = system.clock.now()
  const passwordHash = await hashForAddress(system, user.email, password)
  await system.tx(async (tx) => {
    const used = await store.deleteByToken(tx, hashToken(token), now)
    if (!used) throw notFound()
    await store.deleteOfUser(tx, used.user_id)
    await setPassword(tx, user, passwordHash)
    await recordMailbox(tx, user, keep, now)
  })
  await endSessions(system, user.id, 'reset_password')
  await settleProof(system, user.email)
  // The person can read the mail of this account, so wrong passwords by strangers no longer delay this address.
  await rememberAddress(system, user.email)
}

/** For an operator, who may have no mail to send. Ends all sessions of the person, and their waiting resets. */
export async function replacePassword(
  system: SystemScope,
  user: Pick<UserRow, 'id' | 'email'>,
  password: string,
): Promise<void> {
  const passwordHash = await hashForAddress(system, user.email, password)
  await system.tx(async (tx) => {
    await store.deleteOfUser(tx, user.id)
    await setPassword(tx, user, passwordHash)
  })
  await endSessions(system, user.id, 'reset_password', SYSTEM_ACTOR)
}

async function mailReset(system: SystemScope, request: store.RequestedReset): Promise<void> {
  const user = await findUserByEmail(system, request.email)
  if (!user) return void (await system.tx((tx) => store.deleteReset(tx, request.id)))
  const token = newToken('passwordReset')
  const expiresAt = new Date(system.clock.now().getTime() + LIFETIME_MS)
  await system.tx((tx) =>
    store.updateToken(tx, request.id, { userId: user.id, tokenHash: hashToken(token), expiresAt }),
  )
  const scope = system.tenant(PLATFORM_TENANT, { type: 'system' })
  await scope.tx((tx) =>
    stageEmail(scope, tx, {
      kind: 'password_reset',
      to: { userId: user.id },
      ...resetLetter(request.language ?? 'en', {
        url: `${system.settings.baseUrl}/public/password-resets/${token}`,
        token,
      }),
    }),
  )
  // A crash before this line mails a second token. Only the second one works.
  await system.tx((tx) => store.finishRequest(tx, request.id))
}
