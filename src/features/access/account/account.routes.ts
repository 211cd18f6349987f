import { spend } from '../../../http/limits/rate-limit.ts'
import { acceptedLanguage } from '../../../http/pages/notice-page.ts'
import { tenantRoute } from '../../../http/routes/route.ts'
import { addressKey } from '../../../platform/networks.ts'
import { ChangePassword, Me, UpdateMe } from './account.schema.ts'
import { describeMe, updateMe } from './account.service.ts'
import { changePassword } from './password.service.ts'
import type { Feature } from '../../../platform/feature.ts'

const NEEDS_SESSION = { 403: '`session_required`: an API key has no account.' }

export const getMeRoute = tenantRoute({
  method: 'get',
  path: '/me',
  operationId: 'getMe',
  summary: 'Show who the caller is and what they may do',
  tag: 'Sessions',
  response: { status: 200, schema: Me },
  handler: (scope, { c }) => describeMe(c.get('system'), scope),
})

export const updateMeRoute = tenantRoute({
  method: 'patch',
  path: '/me',
  operationId: 'updateMe',
  summary: 'Change one’s own name, language and preferences',
  description: 'They apply in all workspaces of the person.',
  tag: 'Sessions',
  body: UpdateMe,
  example: { name: 'Ada Lovelace', language: 'de' },
  audit: ['user.update'],
  response: { status: 200, schema: Me },
  problems: { ...NEEDS_SESSION, 422: '`preferences_too_large`' },
  handler: (scope, { body, c }) => updateMe(c.get('system'), scope, body),
})

export const changePasswordRoute = tenantRoute({
  method: 'post',
  path: '/me/password',
  operationId: 'changePassword',
  summary: 'Change one’s own password',
  description:
    'The other sessions of the person end, in every workspace. This one stays. A mail reports the change, in the ' +
    'language of the account or else that of `Accept-Language`. Wrong passwords are limited together with those of the sign-in.',
  tag: 'Sessions',
  idempotent: false,
  headers: ['accept-language'],
  body: ChangePassword,
  example: { current_password: 'correct horse battery', new_password: 'correct horse battery staple' },
  audit: ['user.password_change'],
  response: { status: 204 },
  problems: {
    403: '`wrong_password`, or `session_required` for an API key.',
    429: 'There were too many wrong passwords.',
  },
  async handler(scope, { body, c, limiters }) {
    const system = c.get('system')
    await spend(limiters.signInAddress, addressKey(system))
    await changePassword(system, scope, body, { counter: limiters.signInAccount, language: acceptedLanguage(c) })
  },
})

/** The caller's own account. */
export const account = {
  name: 'account',
  routes: [getMeRoute, updateMeRoute, changePasswordRoute],
} satisfies Feature
