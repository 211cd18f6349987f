import { z } from 'zod'
import { DisplayName } from '../../../platform/schemas/line-schema.ts'
import { secret } from '../../../platform/schemas/secret-schema.ts'
import { Email, KeepWorkspaces, NewPassword } from '../users/users.schema.ts'

const RoleName = z.object({ id: z.string(), name: z.string() })
const RoleId = z.string().max(100).describe('The id of a role. The caller must hold every permission of the role.')

export const Member = z
  .object({
    id: z.string().describe('The id of the person.'),
    name: z.string(),
    email: z.string(),
    role: RoleName,
    joined_at: z.iso.datetime(),
    last_seen_at: z.iso
      .datetime()
      .nullable()
      .describe('Up to 5 minutes old. Null for somebody who never signed in, and without `members.manage`.'),
  })
  .meta({ id: 'Member' })

export const UpdateMember = z.strictObject({ role_id: RoleId }).meta({ id: 'UpdateMember' })

export const InviteMember = z.strictObject({ email: Email, role_id: RoleId }).meta({ id: 'InviteMember' })

export const MemberInvitation = z
  .object({
    id: z.string(),
    email: z.string(),
    role: RoleName,
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'MemberInvitation', description: 'An invitation to become a member. Its token is only in the mail.' })

export const InvitationLink = z
  .object({ url: secret(z.string().describe('The page that accepts the invitation. It is shown once.')) })
  .meta({ id: 'InvitationLink' })

export const AcceptInvitation = z
  .object({
    name: DisplayName.optional().describe('The name for a new account. Default: the part of the address before the @.'),
    password: NewPassword.describe(
      'The password of the existing account, or one for the new account. 10 to 200 characters.',
    ),
    keep_workspaces: KeepWorkspaces,
  })
  .meta({ id: 'AcceptInvitation' })
