import { spend } from '../../http/rate-limit.ts'
import { systemRoute } from '../../http/route.ts'
import { addressKey } from '../../platform/network.ts'
import { hashToken } from '../../platform/secrets.ts'
import { RequestPasswordReset, ResetPassword } from './password-resets.schema.ts'
import { requestPasswordReset, resetPassword } from './password-resets.service.ts'

export const requestPasswordResetRoute = systemRoute({
  method: 'post',
  path: '/public/password-resets',
  operationId: 'requestPasswordReset',
  summary: 'Ask for a mail to set a new password',
  description: 'Answered alike for known and unknown addresses. The mail holds a token that is good once, for an hour.',
  tag: 'Sessions',
  body: RequestPasswordReset,
  example: { email: 'ada@example.com' },
  response: { status: 202, description: 'If the address has an account, a mail is on its way.' },
  problems: { 429: 'Too many attempts.' },
  async handler(system, { body, limiters }) {
    await spend(limiters.mailAddress, addressKey(system))
    await spend(limiters.mailAccount, hashToken(body.email))
    await requestPasswordReset(system, body.email)
  },
})

export const resetPasswordRoute = systemRoute({
  method: 'post',
  path: '/public/password-resets/:token',
  operationId: 'resetPassword',
  summary: 'Set a new password',
  description: 'Ends every session of the person, in all workspaces.',
  tag: 'Sessions',
  params: { token: 'text' },
  body: ResetPassword,
  example: { password: 'correct horse battery' },
  response: { status: 204 },
  problems: { 404: 'The token was used, has expired or never was one.' },
  async handler(system, { params, body }) {
    await resetPassword(system, params.token, body.password)
  },
})
