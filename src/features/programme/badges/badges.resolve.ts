import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { findTenantOfBadge } from './badges.store.ts'

/** Runs work in the workspace of a badge. Null for an unknown token. */
export async function withBadge<T>(
  system: SystemScope,
  token: string,
  work: (scope: Scope) => Promise<T>,
): Promise<T | null> {
  const tenantId = await system.tx((tx) => findTenantOfBadge(tx, token))
  return tenantId && work(system.tenant(tenantId, { type: 'respondent' }))
}
