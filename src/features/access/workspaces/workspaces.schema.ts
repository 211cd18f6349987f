import { z } from 'zod'
import { Email, NewPassword, DisplayName, User } from '../users/users.schema.ts'
import { WorkspaceName } from './org.schema.ts'

export const Workspace = z.object({ id: z.string(), name: z.string() }).meta({ id: 'Workspace' })

export const Signups = z
  .object({ enabled: z.boolean().describe('Whether anybody may create a workspace here.') })
  .meta({ id: 'Signups' })

export const CreateWorkspace = z
  .object({
    workspace_name: WorkspaceName,
    name: DisplayName.describe('Of the person, who becomes the owner.'),
    email: Email,
    password: NewPassword,
  })
  .meta({ id: 'CreateWorkspace' })

export const CreatedWorkspace = z
  .object({
    workspace: Workspace,
    user: User,
    token: z.string().describe('A session token for `Authorization: Bearer`.'),
    expires_at: z.iso.datetime().describe('The session ends here at the latest, and after 12 hours without use.'),
  })
  .meta({ id: 'CreatedWorkspace' })
