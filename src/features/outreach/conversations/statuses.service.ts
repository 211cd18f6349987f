import type { PhoneEvent } from '../../../platform/phone-port.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import { recordAccepted } from '../../delivery/sends/acceptance.service.ts'
import { findTenantOfProviderMessage, lockSendOfProvider } from '../../delivery/sends/reports.service.ts'
import { stampSend } from '../../delivery/sends/sends.service.ts'
import { suppress } from '../suppression/suppression.service.ts'

/** Records how a message or a call of ours ended: the send is stamped, and a person who told the carrier to stop is suppressed. */
export async function recordPhoneEvent(system: SystemScope, providerId: string, event: PhoneEvent | null): Promise<void> {
  if (event === null) return
  const tenantId = await findTenantOfProviderMessage(system, providerId)
  if (tenantId === null) return
  const scope = system.tenant(tenantId, { type: 'provider', name: 'twilio' })
  await scope.tx(async (tx) => {
    const send = await lockSendOfProvider(tx, providerId)
    if (!send) return
    if (send.accepted_at === null) await recordAccepted(scope, tx, [{ sendId: send.id, providerId }])
    await stampSend(tx, send.id, event === 'delivered' ? 'delivered' : 'bounced', scope.clock.now())
    if (event !== 'opted_out') return
    const { channel, address_hash: hash, masked } = send
    await suppress(scope, tx, { channel, hash, masked, reason: 'stop_keyword', source: 'sms' })
  })
}
