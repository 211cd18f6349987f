import { cacheOf } from '../../../platform/config/caches.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import { findTenant } from '../../../platform/database/directory.ts'
import { tenantOfPreview } from './submission/preview.service.ts'
import { openResponseToken } from './submission/response-token.ts'

// A survey never changes its tenant, so a cached answer stays right. A deleted survey is then not found in its tenant.
const OWNERS = cacheOf<Id<'survey'>, TenantId>({ max: 50_000 })

export async function resolveSurvey(system: SystemScope, id: Id<'survey'>): Promise<TenantId | null> {
  const known = system.caches.of(OWNERS)
  const found = known.get(id) ?? (await system.tx((tx) => findTenant(tx, 'survey', id)))
  if (found) known.set(id, found)
  return found
}

export function resolveToken(system: SystemScope, token: string): TenantId | null {
  return openResponseToken(system.secrets, token)?.tenantId ?? tenantOfPreview(system.secrets, token)
}
