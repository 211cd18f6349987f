import { formatId, type Id } from './ids.ts'
import type { Permission } from './permissions.ts'

/** The user or key on whose behalf something happens. */
export type Principal =
  | {
      type: 'user'
      id: Id<'user'>
      sessionId: Id<'session'>
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

/** The public id of the user or the API key that acts. Null for others. */
export function callerId(principal: Principal): string | null {
  if (principal.type === 'user') return formatId('user', principal.id)
  return principal.type === 'api_key' ? formatId('apiKey', principal.id) : null
}

/** The same with its type, such as `user:user_…`. */
export function typedCallerId(principal: Principal): string | null {
  const id = callerId(principal)
  return id && `${principal.type}:${id}`
}

/** Facts about the caller of a request. Absent in background work. */
export interface Origin {
  ip: string
  userAgent: string
  /** The scheme and host that the caller used, such as `https://feedback.example.com`. */
  base: string
}

/** Why something that runs by itself pauses: its maker has left the workspace, or lacks a permission that it takes. */
export type PausedReason = 'maker_left' | 'maker_not_permitted'
