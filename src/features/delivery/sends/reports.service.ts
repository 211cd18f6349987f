import { uuidv7 } from 'uuidv7'
import type { TenantTx } from '../../../platform/database/database.ts'
import { findTenant } from '../../../platform/database/directory.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { PROVIDER_MESSAGE } from './acceptance.service.ts'
import { insertProviderMessage } from './acceptance.store.ts'
import type { SendRow } from './send.entity.ts'
import * as store from './sends.store.ts'

const LONGEST_MESSAGE_ID = 500

/** A send by its id, locked: reports about one send take turns. */
export function lockSend(tx: TenantTx, id: Id<'send'>): Promise<SendRow | undefined> {
  return store.lockSend(tx, id)
}

/** … and by the id that its provider gave it. */
export function lockSendOfProvider(tx: TenantTx, providerId: string): Promise<SendRow | undefined> {
  return store.lockByProvider(tx, providerId)
}

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
