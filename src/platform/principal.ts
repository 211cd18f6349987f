import type { Id } from './ids.ts'
import type { Permission } from './permissions.ts'

/** The user or key on whose behalf something happens. */
export type Principal =
  | {
      type: 'user'
      id: Id<'user'>
      sessionId: string
      roleId: Id<'role'>
      permissions: ReadonlySet<Permission>
      ipAllowlist: string[]
    }
  | {
      type: 'api_key'
      id: Id<'apiKey'>
      makerId: Id<'user'>
      permissions: ReadonlySet<Permission>
      ipAllowlist: string[]
    }
  | { type: 'respondent' }
  | { type: 'provider'; name: string }
  | { type: 'system' }
