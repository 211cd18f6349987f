import { spend } from '../../../http/limits/rate-limit.ts'
import { systemRoute, tenantRoute } from '../../../http/routes/route.ts'
import { addressKey } from '../../../platform/networks.ts'
import { SignedIn, SignIn, SwitchWorkspace } from './sessions.schema.ts'
import { endSession, signIn, switchWorkspace } from './sessions.service.ts'

export const signInRoute = systemRoute({
  method: 'post',
  path: '/public/sessions',
  operationId: 'signIn',
  summary: 'Sign in',
  description:
    'An unknown address and a wrong password get the same answer. Wrong passwords are limited by account and ' +
    'address, by address, and by account for addresses that are new to it.',
  tag: 'Sessions',
  body: SignIn,
  example: { email: 'ada@example.com', password: 'correct horse battery' },
  audit: ['user.sign_in'],
  response: { status: 201, schema: SignedIn },
  problems: {
    401: 'The email address or the password is wrong.',
    403: 'The account is not a member of any workspace.',
    429: 'There were too many attempts.',
  },
  async handler(system, { body, limiters }) {
    await spend(limiters.signInAddress, addressKey(system))
    return signIn(system, body, limiters.signInAccount)
  },
})

export const switchWorkspaceRoute = tenantRoute({
  method: 'post',
  path: '/session/workspace',
  operationId: 'switchWorkspace',
  summary: 'Switch to another workspace',
  description:
    'The answer has a new token, and the token that you sent ends. A retry cannot be authenticated, so this ' +
    'call takes no Idempotency-Key.',
  tag: 'Sessions',
  idempotent: false,
  body: SwitchWorkspace,
  example: { workspace_id: 'ws_01jqe5v0k8e9r9d3z2m6h7t4xw' },
  audit: ['user.sign_out', 'user.sign_in'],
  response: { status: 201, schema: SignedIn },
  problems: { 422: 'The caller is not a member of this workspace.' },
  handler: (scope, { body, c }) => switchWorkspace(c.get('system'), scope, body),
})

export const signOutRoute = tenantRoute({
  method: 'delete',
  path: '/session',
  operationId: 'signOut',
  summary: 'Sign out',
  tag: 'Sessions',
  audit: ['user.sign_out'],
  response: { status: 204 },
  async handler(scope) {
    await endSession(scope)
  },
})
