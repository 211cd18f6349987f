import type { TenantTx } from '../../../platform/database/database.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { AcceptedSend } from '../../delivery/sends/acceptance.service.ts'
import { queueReminders } from '../../delivery/sends/reminders.service.ts'
import * as store from './invitations.store.ts'

const HOUR_MS = 3_600_000

/** Queues the next reminder of each accepted message, if its invitation has one. */
export async function planReminders(scope: Scope, tx: TenantTx, accepted: AcceptedSend[]): Promise<void> {
  if (accepted.length === 0) return
  const planned = await store.listPlannedReminders(tx, [...new Set(accepted.map((send) => send.invitation_id))])
  const byInvitation = new Map(planned.map((invitation) => [invitation.id, invitation]))
  const due = accepted.flatMap((send) => {
    const invitation = byInvitation.get(send.invitation_id)
    if (!invitation) return []
    let at = send.accepted_at.getTime()
    const steps = invitation.reminders.slice(send.reminder).map(({ after_hours, channel }) => {
      at += after_hours * HOUR_MS
      return { at: new Date(at), channel: channel ?? invitation.channel }
    })
    return steps.length > 0 ? [{ after: send.id, steps }] : []
  })
  await queueReminders(scope, tx, due)
}
