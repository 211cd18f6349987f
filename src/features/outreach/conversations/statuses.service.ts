import type { SystemScope } from '../../../platform/scope.ts'
import { recordAccepted } from '../../delivery/sends/acceptance.service.ts'
import { findTenantOfProviderMessage, lockSendOfProvider } from '../../delivery/sends/reports.service.ts'
import { stampSend } from '../../delivery/sends/sends.service.ts'
import { suppress } from '../suppression/suppression.service.ts'

/** Twilio: the person told the carrier to stop. */
const OPTED_OUT = '21610'

/** What became of a message of ours: the send is stamped, and a number that takes none is not written to again. */
export async function recordMessageStatus(system: SystemScope, report: { sid: string; status: string; errorCode: string | null }): Promise<void> {
  const stamp = { delivered: 'delivered', read: 'delivered', undelivered: 'bounced', failed: 'bounced' } as const
  const what = stamp[report.status as keyof typeof stamp]
  if (what) await record(system, report.sid, what, report.errorCode === OPTED_OUT)
}

/** What became of a call of ours. One that nobody took is told by its status alone. */
export async function recordCallStatus(system: SystemScope, report: { sid: string; status: string }): Promise<void> {
  const stamp = { completed: 'delivered', failed: 'bounced' } as const
  const what = stamp[report.status as keyof typeof stamp]
  if (what) await record(system, report.sid, what, false)
}

async function record(system: SystemScope, sid: string, stamp: 'delivered' | 'bounced', optedOut: boolean): Promise<void> {
  const tenantId = await findTenantOfProviderMessage(system, sid)
  if (tenantId === null) return
  const scope = system.tenant(tenantId, { type: 'provider', name: 'twilio' })
  await scope.tx(async (tx) => {
    const send = await lockSendOfProvider(tx, sid)
    if (!send) return
    if (send.accepted_at === null) await recordAccepted(scope, tx, [{ sendId: send.id, providerId: sid }])
    await stampSend(tx, send.id, stamp, scope.clock.now())
    if (!optedOut) return
    const { channel, address_hash: hash, masked } = send
    await suppress(scope, tx, { channel, hash, masked, reason: 'stop_keyword', source: 'sms' })
  })
}
