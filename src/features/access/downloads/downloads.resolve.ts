import { hashToken } from '../../../platform/config/secrets.ts'
import { isToken } from '../../../platform/config/tokens.ts'
import { TICKET } from './downloads.store.ts'
import { findTenant } from '../../../platform/database/directory.ts'
import type { TenantId } from '../../../platform/ids.ts'
import type { SystemScope } from '../../../platform/scope.ts'

export async function resolveTicket(system: SystemScope, token: string): Promise<TenantId | null> {
  return isToken('download', token) ? system.tx((tx) => findTenant(tx, TICKET, hashToken(token))) : null
}
