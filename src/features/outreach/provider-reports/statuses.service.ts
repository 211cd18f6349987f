import type { PhoneEvent } from '../../../platform/ports/phone-port.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import { findTenantOfProviderMessage, lockSendOfProvider } from '../../delivery/sends/reports.service.ts'
import { recordReport } from './reports.service.ts'

/** Records the end of a message or call, found by the provider's id. */
export async function recordPhoneEvent(
  system: SystemScope,
  providerId: string,
  event: PhoneEvent | null,
): Promise<void> {
  if (event === null) return
  const tenantId = await findTenantOfProviderMessage(system, providerId)
  if (tenantId === null) return
  const scope = system.tenant(tenantId, { type: 'provider', name: 'twilio' })
  await scope.tx(async (tx) => {
    const send = await lockSendOfProvider(tx, providerId)
    if (send) await recordReport(scope, tx, send, { kind: event, providerId, at: scope.clock.now() })
  })
}
