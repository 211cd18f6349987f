import { findTenant } from '../../../platform/directory.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import { INBOUND_NUMBER } from '../inbound-numbers/inbound-numbers.service.ts'

const MOST_KNOWN = 50_000
// A number may move: a caller makes sure that the owner still holds, and asks afresh if not.
const numbers = new Map<string, TenantId>()
// A survey never changes its workspace.
const surveys = new Map<Id<'survey'>, TenantId>()

/** The workspace that a number belonged to a moment ago; `afresh`, the one that it belongs to now. */
export async function ownerOfNumber(system: SystemScope, number: string, { afresh = false } = {}): Promise<TenantId | null> {
  if (afresh) numbers.delete(number)
  return numbers.get(number) ?? remember(numbers, number, await system.tx((tx) => findTenant(tx, INBOUND_NUMBER, number)))
}

export async function ownerOfSurvey(system: SystemScope, id: Id<'survey'>): Promise<TenantId | null> {
  return surveys.get(id) ?? remember(surveys, id, await system.tx((tx) => findTenant(tx, 'survey', id)))
}

function remember<Key>(known: Map<Key, TenantId>, key: Key, owner: TenantId | null): TenantId | null {
  if (owner && known.size >= MOST_KNOWN) known.clear()
  if (owner) known.set(key, owner)
  return owner
}
