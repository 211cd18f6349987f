import { cacheOf } from '../../../platform/config/caches.ts'
import type { TenantId } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { SLUG } from './slug.ts'
import { findTenantOfSlug } from './short-urls.store.ts'

const OWNERS = cacheOf<string, TenantId>({ max: 50_000 })

/**
 * Runs work with a slug in its workspace. Null if nobody has the slug. If its former owner finds nothing, the owner is
 * looked up again.
 */
export async function withSlug<T>(
  system: SystemScope,
  slug: string,
  work: (scope: Scope) => Promise<T | null>,
): Promise<T | null> {
  if (!SLUG.test(slug)) return null
  const known = system.caches.of(OWNERS)
  const remembered = known.get(slug)
  const found = remembered ? await work(system.tenant(remembered, { type: 'respondent' })) : null
  if (found !== null) return found
  known.delete(slug)
  const tenantId = await system.tx((tx) => findTenantOfSlug(tx, slug))
  if (tenantId === null || tenantId === remembered) return null
  known.set(slug, tenantId)
  return work(system.tenant(tenantId, { type: 'respondent' }))
}
