import type { z } from 'zod'
import { Problem, unauthorized } from '../../../http/problems/problem.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { finishPasswordChange } from '../sessions/ending.service.ts'
import { requireSession } from '../sessions/sessions.service.ts'
import { limitAttempts, type AttemptCounter } from '../sessions/sign-in-attempts.service.ts'
import { verifyPassword } from '../users/passwords.service.ts'
import { findUser, hashForAddress, invalidCredentials, replaceOwnPassword } from '../users/users.service.ts'
import type { ChangePassword } from './account.schema.ts'

/**
 * Replaces the caller's own password. Their other sessions end, and a mail says so.
 * @param language of the mail, unless the person has chosen one.
 * @throws Problem 403 `session_required` for an API key, or `wrong_password`; 429 after too many wrong passwords.
 */
export async function changePassword(
  system: SystemScope,
  scope: Scope,
  body: z.output<typeof ChangePassword>,
  { counter, language }: { counter: AttemptCounter; language: string },
): Promise<void> {
  const { id, sessionId } = requireSession(scope)
  const user = await findUser(system, id)
  if (!user) throw unauthorized()
  await limitAttempts(system, counter, user.email, async () => {
    if (!(await verifyPassword(scope, user.password_hash, body.current_password))) throw invalidCredentials()
    const passwordHash = await hashForAddress(system, user.email, body.new_password)
    if (!(await replaceOwnPassword(system, user, passwordHash, sessionId))) throw invalidCredentials()
  }).catch((error: unknown) => {
    throw error instanceof Problem && error.code === 'invalid_credentials' ? wrongPassword() : error
  })
  await finishPasswordChange(system, id, language)
}

function wrongPassword(): Problem {
  return new Problem(403, 'wrong_password', { detail: 'The current password is wrong. Nothing was changed.' })
}
