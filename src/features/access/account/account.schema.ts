import { z } from 'zod'
import { DisplayName, spokenLanguage } from '../../../platform/schemas/line-schema.ts'
import { PERMISSIONS } from '../../../platform/permissions.ts'
import { NewPassword, User } from '../users/users.schema.ts'
import { Workspace } from '../workspaces/org.schema.ts'

const RoleName = z.object({ id: z.string(), name: z.string() })
const preferences = z.record(z.string().max(100), z.unknown())

export const Me = z
  .object({
    principal: z.object({ type: z.enum(['user', 'api_key']), id: z.string() }),
    workspace: Workspace,
    role: RoleName.nullable().describe('The role of the person in this workspace. Null for an API key.'),
    permissions: z.array(z.enum(PERMISSIONS)).describe('The permissions that the caller has right now.'),
    workspaces: z
      .array(
        Workspace.extend({ role: RoleName.nullable() }).meta({
          id: 'OwnWorkspace',
          description: 'A workspace that the caller can enter.',
        }),
      )
      .describe('All workspaces of the person, oldest first. An API key has one.'),
    session: z
      .object({
        id: z.string(),
        created_at: z.iso.datetime(),
        expires_at: z.iso.datetime().describe('When the session ends at the latest.'),
      })
      .nullable()
      .describe('The session of this call. Null for an API key.'),
    client_ip: z.string().nullable().describe('The address of the caller, as the allowlist tests it.'),
    user: User.extend({
      language: z.string().nullable().describe('The language of the console. Null is that of the browser.'),
      preferences: preferences.describe('Settings of the console, in all workspaces of the person.'),
    })
      .meta({ id: 'OwnUser', description: 'The signed-in person.' })
      .nullable()
      .describe('The signed-in person. Null for an API key.'),
    verified: z
      .boolean()
      .describe('Whether the person, or the maker of the key, has proved that the mailbox of their account is theirs.'),
  })
  .meta({ id: 'Me' })

export const UpdateMe = z
  .strictObject({
    name: DisplayName.optional(),
    language: spokenLanguage
      .nullable()
      .optional()
      .describe('The language of the console. Null is that of the browser.'),
    preferences: preferences
      .optional()
      .describe('Members to set. Null removes a member, and the others stay. At most 8 KiB in all.'),
  })
  .meta({ id: 'UpdateMe' })

export const ChangePassword = z
  .strictObject({ current_password: z.string().min(1).max(200), new_password: NewPassword })
  .meta({ id: 'ChangePassword' })
