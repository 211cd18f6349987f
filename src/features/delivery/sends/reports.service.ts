import { uuidv7 } from 'uuidv7'
import type { TenantTx } from '../../../platform/database/database.ts'
import { findTenant } from '../../../platform/database/directory.ts'
import type { TenantId } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { PROVIDER_MESSAGE } from './acceptance.service.ts'
import { insertProviderMessage } from './acceptance.store.ts'

// Other features run these statements as they are.
export { lockSend, lockByProvider as lockSendOfProvider } from './sends.store.ts'

const LONGEST_MESSAGE_ID = 500

/** The workspace whose message a provider speaks of. */
export function findTenantOfProviderMessage(system: SystemScope, providerId: string): Promise<TenantId | null> {
  return system.tx((tx) => findTenant(tx, PROVIDER_MESSAGE, providerId))
}

/** Takes a provider's message for this transaction; false when it had its effect already. */
export function claimProviderMessage(
  scope: Scope,
  tx: TenantTx,
  provider: string,
  messageId: string,
): Promise<boolean> {
  return insertProviderMessage(
    tx,
    { id: uuidv7(), provider, messageId: messageId.slice(0, LONGEST_MESSAGE_ID) },
    scope.clock.now(),
  )
}
