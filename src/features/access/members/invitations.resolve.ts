import { findTenant } from '../../../platform/database/directory.ts'
import type { TenantId } from '../../../platform/ids.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import { hashToken } from '../../../platform/config/secrets.ts'
import { isToken } from '../../../platform/config/tokens.ts'

/** Finds the workspace of an invitation token. */
export async function resolveInvitation(system: SystemScope, token: string): Promise<TenantId | null> {
  return isToken('invitation', token) ? system.tx((tx) => findTenant(tx, 'member_invitation', hashToken(token))) : null
}
