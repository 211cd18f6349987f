import { spend } from '../../../http/rate-limit.ts'
import { systemRoute } from '../../../http/route.ts'
import { addressKey } from '../../../platform/network.ts'
import { signUp } from './sign-up.service.ts'
import { CreatedWorkspace, CreateWorkspace, Signups } from './workspaces.schema.ts'

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
    'If the address has an account, send the password of that account. The workspace starts with the built-in roles.',
  tag: 'Workspaces',
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
    401: 'The address has an account with another password.',
    403: '`signups_closed`',
    429: 'There were too many attempts.',
  },
  async handler(system, { body, limiters }) {
    await spend(limiters.signUpAddress, addressKey(system))
    return signUp(system, body, limiters.signInAccount)
  },
})
