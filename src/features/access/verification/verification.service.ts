import { notFound, Problem } from '../../../http/problems/problem.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { hashToken } from '../../../platform/config/secrets.ts'
import { isToken, newToken } from '../../../platform/config/tokens.ts'
import { stageEmail, VERIFICATION_MAIL } from '../mail/mail.service.ts'
import { rememberAddress } from '../sessions/sign-in-attempts.service.ts'
import { proveAccount } from '../users/proof.service.ts'
import { findUser, findUserByVerification, issueVerification, type UserRow } from '../users/users.service.ts'
import { verificationLetter } from './verification-words.ts'

const LIFETIME_MS = 7 * 24 * 3_600_000

/** Makes a token for the mail. `stageVerification` sends it. */
export async function newVerification(scope: Scope | SystemScope, user: UserRow): Promise<string> {
  const token = newToken('verification')
  const endsAt = new Date(scope.clock.now().getTime() + LIFETIME_MS)
  await issueVerification(scope, user.id, { hash: hashToken(token), endsAt })
  return token
}

export async function stageVerification(
  scope: Scope,
  tx: TenantTx,
  user: UserRow,
  token: string,
  language: string,
): Promise<void> {
  await stageEmail(scope, tx, {
    kind: VERIFICATION_MAIL,
    to: { userId: user.id },
    ...verificationLetter(language, { url: `${scope.settings.baseUrl}/public/verifications/${token}`, token }),
  })
}

/**
 * Mails the link once more. The link of the earlier mail ends. Does nothing for a proven account.
 * @param admit is asked before a mail is sent. @throws Problem 403 `session_required` for an API key.
 */
export async function sendVerification(
  scope: Scope,
  language: string,
  admit: (email: string) => Promise<void>,
): Promise<{ verified: boolean }> {
  if (scope.principal.type !== 'user')
    throw new Problem(403, 'session_required', { detail: 'An API key has no mailbox. Sign in as a person.' })
  const user = await findUser(scope, scope.principal.id)
  if (!user) throw notFound('user')
  if (user.verified_at !== null) return { verified: true }
  await admit(user.email)
  const token = await newVerification(scope, user)
  await scope.tx((tx) => stageVerification(scope, tx, user, token, language))
  return { verified: false }
}

/** @throws Problem 404 for a token that is unknown, replaced or expired. */
export async function readVerification(system: SystemScope, token: string): Promise<UserRow> {
  if (!isToken('verification', token)) throw notFound()
  const user = await findUserByVerification(system, hashToken(token))
  if (!user) throw notFound()
  return user
}

/** Proves the mailbox by its mailed link. Once more changes nothing. @throws Problem 404 as `readVerification`. */
export async function verifyMailbox(system: SystemScope, token: string): Promise<void> {
  const user = await readVerification(system, token)
  await proveAccount(system, user)
  await rememberAddress(system, user.email)
}
