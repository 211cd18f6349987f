import { z } from 'zod'
import { Email, NewPassword, DisplayName } from '../users/users.schema.ts'

const RoleName = z.object({ id: z.string(), name: z.string() })
const RoleId = z.string().max(100).describe('A role whose every permission the caller holds.')

export const Member = z
  .object({
    id: z.string().describe('The id of the person.'),
    name: z.string(),
    email: z.string(),
    role: RoleName,
    joined_at: z.iso.datetime(),
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
  .meta({ id: 'MemberInvitation', description: 'The token is in the mail and nowhere else.' })

export const AcceptInvitation = z
  .object({
    name: DisplayName.optional().describe('For a new account; the part of the address before the @ unless told.'),
    password: NewPassword.describe(
      'The password of the existing account with this address, or the one of the new account: 10 to 200 characters.',
    ),
  })
  .meta({ id: 'AcceptInvitation' })
