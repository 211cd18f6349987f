import type { TenantTx } from '../../../platform/database/database.ts'
import type { EmailEvent } from '../../../platform/ports/email-port.ts'
import type { PhoneEvent } from '../../../platform/ports/phone-port.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { learnProviderId, recordAccepted } from '../../delivery/sends/acceptance.service.ts'
import type { SendRow } from '../../delivery/sends/send.entity.ts'
import type { SendStamp } from '../../delivery/sends/send-state.ts'
import { giveUpSend, stampSend } from '../../delivery/sends/sends.service.ts'
import { planReminders } from '../invitations/invitations.service.ts'
import type { SuppressionReason } from '../suppression/suppression.schema.ts'
import { suppress } from '../suppression/suppression.service.ts'
import { findTenantOfProviderMessage, lockSendOfProvider } from '../../delivery/sends/reports.service.ts'

export interface ProviderReport {
  kind: EmailEvent['kind'] | PhoneEvent
  /** The provider's id of the message. */
  providerId: string
  at: Date
}

/** How a report marks the send, and for which reason it suppresses the person. */
const EFFECTS: Record<
  ProviderReport['kind'],
  { stamp: SendStamp; suppress: SuppressionReason | null } | { failed: string }
> = {
  delivered: { stamp: 'delivered', suppress: null },
  undelivered: { stamp: 'bounced', suppress: null },
  bounced: { stamp: 'bounced', suppress: 'hard_bounce' },
  complained: { stamp: 'complained', suppress: 'complaint' },
  opted_out: { stamp: 'bounced', suppress: 'stop_keyword' },
  failed: { failed: 'provider_failed' },
  suppressed: { failed: 'provider_suppressed' },
}

/** Records a provider's report about a locked send. The provider speaks of the message, so it has taken the message. */
export async function recordReport(
  scope: Scope,
  tx: TenantTx,
  send: SendRow,
  { kind, providerId, at }: ProviderReport,
): Promise<void> {
  if (send.accepted_at === null)
    await planReminders(scope, tx, await recordAccepted(scope, tx, [{ sendId: send.id, providerId }]))
  else if (send.provider_id === null) await learnProviderId(tx, send.id, providerId)
  const effect = EFFECTS[kind]
  if ('failed' in effect) return giveUpSend(scope, tx, send.id, effect.failed)
  const { stamp, suppress: reason } = effect
  await stampSend(scope, tx, send.id, stamp, at)
  if (reason === null) return
  const { channel, address_hash: hash, masked } = send
  await suppress(scope, tx, { channel, hash, masked, reason, source: channel === 'email' ? 'email_event' : 'sms' })
}

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
