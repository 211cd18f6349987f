import { acceptedLanguage } from '../../../http/pages/notice-page.ts'
import { spend } from '../../../http/limits/rate-limit.ts'
import { systemRoute } from '../../../http/routes/route.ts'
import { addressKey } from '../../../platform/networks.ts'
import { hashToken } from '../../../platform/config/secrets.ts'
import { signUp } from './sign-up.service.ts'
import { CreatedWorkspace, CreateWorkspace, Signups } from './sign-up.schema.ts'
import type { Feature } from '../../../platform/feature.ts'

export const getSignupsRoute = systemRoute({
  method: 'get',
  path: '/public/signups',
  operationId: 'getSignups',
  summary: 'Show whether signup is open',
  tag: 'Workspaces',
  response: { status: 200, schema: Signups },
  handler: async ({ settings }) => ({ enabled: settings.signups === 'open' }),
})

export const createWorkspaceRoute = systemRoute({
  method: 'post',
  path: '/public/workspaces',
  operationId: 'createWorkspace',
  summary: 'Create a workspace and its owner',
  description:
    'With the address and the password of an account, the workspace is that account’s. Otherwise a new account is made, ' +
    'and a mail asks whether the mailbox is its owner’s. Until then the workspace sends nothing and invites nobody. The ' +
    'answer does not show whether the address has another account. The mail is in the language of `Accept-Language`. The ' +
    'workspace starts with the built-in roles.',
  tag: 'Workspaces',
  headers: ['accept-language'],
  body: CreateWorkspace,
  example: {
    workspace_name: 'Acme',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    password: 'correct horse battery',
  },
  audit: ['workspace.create'],
  response: { status: 201, schema: CreatedWorkspace },
  problems: {
    401: 'The account ended while it was signing up.',
    403: '`signups_closed`',
    429: 'There were too many attempts.',
  },
  async handler(system, { body, limiters, c }) {
    const from = addressKey(system)
    await spend(limiters.signUpAddress, from)
    // Known or not, because a sign-up with the right password shows that it is right. One network alone cannot use up
    // what others have for the same account.
    await spend(limiters.signUpAccountFrom, hashToken(`${body.email} ${from}`))
    await spend(limiters.signUpAccount, hashToken(body.email))
    return signUp(system, body, acceptedLanguage(c))
  },
})

export const signUps = {
  name: 'sign-up',
  routes: [getSignupsRoute, createWorkspaceRoute],
} satisfies Feature
