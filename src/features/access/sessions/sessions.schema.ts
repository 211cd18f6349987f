import { z } from 'zod'
import { PERMISSIONS } from '../../../platform/permissions.ts'
import { Email, User } from '../users/users.schema.ts'
import { Workspace } from '../workspaces/workspaces.schema.ts'

export const SignIn = z.object({ email: Email, password: z.string().min(1).max(200) }).meta({ id: 'SignIn' })

export const SignedIn = z
  .object({
    token: z.string().describe('For `Authorization: Bearer`. Shown once.'),
    expires_at: z.iso.datetime().describe('The session ends here at the latest, and after 12 hours without use.'),
    user: User,
    workspace: Workspace.describe('Where this session works.'),
    workspaces: z.array(Workspace).describe('Every workspace that the person may switch to.'),
  })
  .meta({ id: 'SignedIn' })

export const SwitchWorkspace = z.object({ workspace_id: z.string().max(100) }).meta({ id: 'SwitchWorkspace' })

export const Me = z
  .object({
    principal: z.object({ type: z.enum(['user', 'api_key']), id: z.string() }),
    workspace: Workspace,
    permissions: z.array(z.enum(PERMISSIONS)).describe('What this principal may do right now.'),
    user: User.nullable().describe('Null for an API key.'),
  })
  .meta({ id: 'Me' })
