import { cacheOf } from '../../../platform/config/caches.ts'
import { findTenant } from '../../../platform/database/directory.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import { INBOUND_NUMBER } from '../inbound-numbers/inbound-numbers.service.ts'

// A number may move: the caller checks a cached owner, and asks `afresh` if it is wrong.
const NUMBERS = cacheOf<string, TenantId>({ max: 50_000 })
// A survey never changes its workspace.
const SURVEYS = cacheOf<Id<'survey'>, TenantId>({ max: 50_000 })

/** The recent owner of a number. With `afresh`, the present one. */
export async function ownerOfNumber(
  system: SystemScope,
  number: string,
  { afresh = false } = {},
): Promise<TenantId | null> {
  const known = system.caches.of(NUMBERS)
  if (afresh) known.delete(number)
  return known.get(number) ?? remember(known, number, await system.tx((tx) => findTenant(tx, INBOUND_NUMBER, number)))
}

export async function ownerOfSurvey(system: SystemScope, id: Id<'survey'>): Promise<TenantId | null> {
  const known = system.caches.of(SURVEYS)
  return known.get(id) ?? remember(known, id, await system.tx((tx) => findTenant(tx, 'survey', id)))
}

function remember<Key>(
  known: { set(key: Key, owner: TenantId): unknown },
  key: Key,
  owner: TenantId | null,
): TenantId | null {
  if (owner) known.set(key, owner)
  return owner
}
