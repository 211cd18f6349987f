import { z } from 'zod'
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

export const OwnSession = z
  .object({
    id: z.string(),
    current: z.boolean().describe('Whether it is the session of this call.'),
    workspace: Workspace,
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().describe('Up to a minute old.'),
    expires_at: z.iso
      .datetime()
      .describe('When the session ends at the latest. It ends earlier after 12 hours without use.'),
    client_ip: z.string().nullable().describe('The address of the last use.'),
    agent: z
      .object({ browser: z.string().nullable(), system: z.string().nullable() })
      .describe('The program of the last use, as it described itself.'),
  })
  .meta({ id: 'OwnSession' })
