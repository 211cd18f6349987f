import type { Id, TenantId } from '../../../platform/ids.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import { findTenant } from '../../../platform/directory.ts'
import { openResponseToken } from './response-token.ts'

const MOST_KNOWN = 50_000
// A survey never changes its tenant, so what was found once holds; one that was deleted is then not found by its tenant.
const known = new Map<Id<'survey'>, TenantId>()

export async function resolveSurvey(system: SystemScope, id: Id<'survey'>): Promise<TenantId | null> {
  const found = known.get(id) ?? (await system.tx((tx) => findTenant(tx, 'survey', id)))
  if (found && known.size >= MOST_KNOWN) known.clear()
  if (found) known.set(id, found)
  return found
}

export function resolveToken(system: SystemScope, token: string): TenantId | null {
  return openResponseToken(system.secrets, token)?.tenantId ?? null
}
