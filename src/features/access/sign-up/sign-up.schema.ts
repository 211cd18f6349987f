import { z } from 'zod'
import { DisplayName } from '../../../platform/schemas/line-schema.ts'
import { Email, NewPassword, User } from '../users/users.schema.ts'
import { Workspace } from '../workspaces/org.schema.ts'

export const Signups = z
  .object({ enabled: z.boolean().describe('Whether anyone can create a workspace on this server.') })
  .meta({ id: 'Signups' })

export const CreateWorkspace = z
  .object({
    workspace_name: DisplayName,
    name: DisplayName.describe('The name of the person who becomes the owner.'),
    email: Email,
    password: NewPassword,
  })
  .meta({ id: 'CreateWorkspace' })

export const CreatedWorkspace = z
  .object({
    workspace: Workspace,
    user: User,
    token: z.string().describe('The session token for `Authorization: Bearer`.'),
    expires_at: z.iso
      .datetime()
      .describe('When the session ends at the latest. It ends earlier after 12 hours without use.'),
  })
  .meta({ id: 'CreatedWorkspace' })
