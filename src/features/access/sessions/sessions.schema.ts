import { z } from 'zod'
import { PERMISSIONS } from '../../../platform/permissions.ts'
import { Email, User } from '../users/users.schema.ts'
import { Workspace } from '../workspaces/org.schema.ts'

export const SignIn = z.object({ email: Email, password: z.string().min(1).max(200) }).meta({ id: 'SignIn' })

export const SignedIn = z
  .object({
    token: z.string().describe('The session token for `Authorization: Bearer`. Shown only here.'),
    expires_at: z.iso
      .datetime()
      .describe('When the session ends at the latest. It ends earlier after 12 hours without use.'),
    user: User,
    workspace: Workspace.describe('The workspace of this session.'),
    workspaces: z.array(Workspace).describe('All workspaces that the person is a member of.'),
  })
  .meta({ id: 'SignedIn' })

export const SwitchWorkspace = z.object({ workspace_id: z.string().max(100) }).meta({ id: 'SwitchWorkspace' })

export const Me = z
  .object({
    principal: z.object({ type: z.enum(['user', 'api_key']), id: z.string() }),
    workspace: Workspace,
    permissions: z.array(z.enum(PERMISSIONS)).describe('The permissions that the caller has right now.'),
    user: User.nullable().describe('The signed-in person. Null for an API key.'),
    verified: z
      .boolean()
      .describe('Whether the person, or the maker of the key, has proved that the mailbox of their account is theirs.'),
  })
  .meta({ id: 'Me' })
