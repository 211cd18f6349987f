import type { z } from 'zod'
import { unauthorized, unprocessable } from '../../../http/problems/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import { formatId } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { findRoles } from '../members/membership.service.ts'
import { sortPermissions } from '../roles/permission-rules.ts'
import { readOwnSession } from '../sessions/own-sessions.service.ts'
import { requireSession } from '../sessions/sessions.service.ts'
import { changeSettings, findUser, presentUser, readSettings } from '../users/users.service.ts'
import { listWorkspacesOf, presentWorkspace, readWorkspace } from '../workspaces/workspaces.service.ts'
import { type Me, UpdateMe } from './account.schema.ts'

const audited = auditOf('user', { schema: UpdateMe, hides: ['language', 'preferences'] })

const MOST_PREFERENCES = 8 * 1024

type Presented = z.input<typeof Me>

/** Describes the caller: who they are, where they may go, what they may do. */
export async function describeMe(system: SystemScope, scope: Scope): Promise<Presented> {
  const { principal } = scope
  if (principal.type !== 'user' && principal.type !== 'api_key') throw unauthorized()
  const workspace = presentWorkspace(await scope.read(readWorkspace))
  const person = await findUser(scope, principal.type === 'user' ? principal.id : principal.makerId)
  const common = {
    workspace,
    permissions: sortPermissions(principal.permissions),
    client_ip: scope.origin?.ip ?? null,
    verified: (person?.verified_at ?? null) !== null,
  }
  if (principal.type === 'api_key')
    return {
      principal: { type: 'api_key', id: formatId('apiKey', principal.id) },
      ...common,
      role: null,
      workspaces: [{ ...workspace, role: null }],
      session: null,
      user: null,
    }
  const session = await scope.read((tx) => readOwnSession(tx, principal.sessionId))
  // It may have ended since the middleware looked.
  if (!person || !session) throw unauthorized()
  const { language, preferences } = await readSettings(scope, person.id)
  const all = await listWorkspacesOf(system, person.id)
  const roles = await findRoles(
    system,
    person.id,
    all.map(({ tenant_id }) => tenant_id),
  )
  return {
    principal: { type: 'user', id: formatId('user', person.id) },
    ...common,
    role: roles.get(scope.tenantId) ?? null,
    workspaces: all.map((each) => ({ ...presentWorkspace(each), role: roles.get(each.tenant_id) ?? null })),
    session: {
      id: formatId('session', session.id),
      created_at: session.created_at.toISOString(),
      expires_at: session.expires_at.toISOString(),
    },
    user: { ...presentUser(person), language, preferences },
  }
}

/**
 * Changes the caller's own name, language and preferences.
 * @throws Problem 403 `session_required` for an API key; 422 `preferences_too_large`.
 */
export async function updateMe(system: SystemScope, scope: Scope, body: z.output<typeof UpdateMe>): Promise<Presented> {
  const { id } = requireSession(scope)
  const { before, after } = await changeSettings(system, id, (settings) => ({
    name: body.name ?? settings.name,
    language: body.language === undefined ? settings.language : body.language,
    preferences: merged(settings.preferences, body.preferences ?? {}),
  }))
  await scope.tx(async (tx) => audited(scope, tx, 'update', id, { before, after }))
  return describeMe(system, scope)
}

function merged(before: Record<string, unknown>, given: Record<string, unknown>): Record<string, unknown> {
  const all = Object.entries({ ...before, ...given }).filter(([, value]) => value !== null)
  const preferences = Object.fromEntries(all)
  if (Buffer.byteLength(JSON.stringify(preferences)) <= MOST_PREFERENCES) return preferences
  throw unprocessable('preferences_too_large', [
    { path: 'preferences', message: 'All preferences together can have at most 8 KiB. Remove some with null.' },
  ])
}
