import { findTenant } from '../../../../platform/database/directory.ts'
import type { Scope, SystemScope } from '../../../../platform/scope.ts'
import { hashToken } from '../../../../platform/config/secrets.ts'
import { DIRECTORY_KIND } from '../dashboards.store.ts'

/** The workspace of a shared dashboard. Null for an unknown link. */
export async function resolveShare(system: SystemScope, token: string): Promise<Scope | null> {
  const tenantId = await system.tx((tx) => findTenant(tx, DIRECTORY_KIND, hashToken(token)))
  return tenantId && system.tenant(tenantId, { type: 'respondent' })
}
