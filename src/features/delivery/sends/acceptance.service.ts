import type { TenantTx } from '../../../platform/database.ts'
import { registerFree } from '../../../platform/directory.ts'
import { formatId, newId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { stageEvents } from '../events/bulk-events.service.ts'
import * as store from './acceptance.store.ts'
import { insertSurveyDeliveries, type NewSurveyDelivery } from './deliveries.store.ts'
import { openRecipient, sealRecipient } from './recipient.ts'

/** The directory leads from a provider's id of a message to its tenant. */
export const PROVIDER_MESSAGE = 'provider_message'

const HOUR_MS = 3_600_000

export interface Acceptance {
  sendId: Id<'send'>
  providerId: string | null
}

/**
 * A provider took these messages: each becomes `accepted` and gets its survey delivery record, and `survey.sent` with its
 * notifications and webhook deliveries, all in the caller's transaction (source specification, "Survey delivery record").
 * Telling it twice changes nothing.
 * @returns how many were not known to be accepted before.
 */
export async function recordAccepted(scope: Scope, tx: TenantTx, acceptances: Acceptance[]): Promise<number> {
  const at = scope.clock.now()
  const accepted = await store.updateAccepted(
    tx,
    acceptances.map(({ sendId }) => sendId),
    acceptances.map(({ providerId }) => providerId),
    at,
  )
  if (accepted.length === 0) return 0
  const records: NewSurveyDelivery[] = accepted.map((send) => ({
    id: newId('surveyDelivery'),
    survey_id: send.survey_id,
    channel: send.channel,
    accepted_at: at,
    source: `send:${send.id}`,
  }))
  const written = await insertSurveyDeliveries(tx, records)
  const events = records
    .filter(({ id }) => written.has(id))
    .map(({ source, survey_id, channel }) => ({
      type: 'survey.sent' as const,
      surveyId: survey_id,
      source: `${source}:sent`,
      data: { surveyId: formatId('survey', survey_id), channel, acceptedAt: at.toISOString() },
    }))
  await stageEvents(scope, tx, events)
  await registerFree(
    tx,
    PROVIDER_MESSAGE,
    accepted.map((send) => send.provider_id).filter((id) => id !== null),
  )
  await stageReminders(scope, tx, accepted)
  return accepted.length
}

/** The id by which a provider speaks of a message that it took without telling us one. */
export async function learnProviderId(tx: TenantTx, id: Id<'send'>, providerId: string): Promise<void> {
  await store.updateProviderId(tx, id, providerId)
  await registerFree(tx, PROVIDER_MESSAGE, [providerId])
}

async function stageReminders(scope: Scope, tx: TenantTx, accepted: store.AcceptedSend[]): Promise<void> {
  const planned = new Map(
    (await store.listNextReminders(tx, [...new Set(accepted.map((send) => send.invitation_id))])).map(({ id, reminders }) => [id, reminders]),
  )
  const due = accepted.filter((send) => planned.get(send.invitation_id)?.[send.reminder])
  if (due.length === 0) return
  const recipients = await store.listRecipients(
    tx,
    due.map(({ id }) => id),
  )
  const rows = due.flatMap((send) => {
    const sealed = recipients.get(send.id)
    const next = planned.get(send.invitation_id)?.[send.reminder]
    if (sealed === undefined || !next) return []
    const id = newId('send')
    return [
      {
        id,
        afterId: send.id,
        recipient: sealRecipient(scope.secrets, id, openRecipient(scope.secrets, send.id, sealed)),
        nextAttemptAt: new Date(send.accepted_at.getTime() + next.after_hours * HOUR_MS),
      },
    ]
  })
  if (rows.length > 0) await store.insertReminders(tx, rows, scope.clock.now())
}
