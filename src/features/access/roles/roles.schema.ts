import { z } from 'zod'
import { PERMISSIONS, type Permission } from '../../../platform/permissions.ts'
import { nameLine } from '../../../platform/schemas/line-schema.ts'

export const PERMISSION_MEANINGS: Record<Permission, string> = {
  'surveys.manage': 'Create, change, publish and delete surveys.',
  'responses.manage': 'Tag, annotate, quarantine, release and delete responses.',
  'dispatch.send': 'Send survey invitations.',
  'alerts.manage': 'Set alert rules and work on alerts.',
  'leads.manage': 'Work on leads.',
  'agents.manage': 'Maintain the people who are rated.',
  'people.manage': 'Maintain the people who are asked, and see their addresses.',
  'segments.manage': 'Maintain segments.',
  'badges.manage': 'Maintain public badges.',
  'integrations.manage': 'Maintain webhooks, read and replay their deliveries.',
  'api_keys.manage': 'Create and revoke API keys.',
  'roles.manage': 'Maintain custom roles.',
  'members.manage': 'Invite, change and remove members.',
  'compliance.manage': 'Handle suppression and data-protection requests.',
  'templates.manage': 'Maintain email templates.',
  'links.manage': 'Maintain short links.',
  'numbers.manage': 'Maintain inbound numbers.',
  'dashboards.manage': 'Maintain dashboards and filter views.',
  'reports.manage': 'Maintain scheduled reports.',
  'exports.manage': 'Create and download exports.',
  'audit.read': 'Read the audit log.',
  'org.manage': 'Change the settings of the workspace.',
  'adept.use': 'Ask the assistant.',
  'proxy.fetch': 'Preview a page with the embed script.',
}

const RoleName = nameLine(60)
const PermissionNames = z
  .array(z.string().max(60))
  .max(100)
  .describe(
    'Names from `GET /v1/permissions`. The caller must hold each of them. Permissions are about changes: every key ' +
      'and member can read surveys, responses and members.',
  )

export const CreateRole = z.strictObject({ name: RoleName, permissions: PermissionNames }).meta({ id: 'CreateRole' })

export const UpdateRole = z
  .strictObject({ name: RoleName, permissions: PermissionNames })
  .partial()
  .meta({ id: 'UpdateRole', description: 'Members that you leave out keep their values.' })

export const Role = z
  .object({
    id: z.string(),
    name: z.string(),
    permissions: z.array(z.enum(PERMISSIONS)),
    built_in: z.boolean().describe('Built-in roles cannot be changed or deleted.'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Role' })

export const PermissionList = z
  .object({
    data: z.array(z.object({ name: z.enum(PERMISSIONS), description: z.string() })),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'PermissionList' })
