import { findTenant } from '../../../platform/database/directory.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'
import type { SystemScope } from '../../../platform/scope.ts'

export function resolveSurvey(system: SystemScope, id: Id<'survey'>): Promise<TenantId | null> {
  return system.tx((tx) => findTenant(tx, 'survey', id))
}
