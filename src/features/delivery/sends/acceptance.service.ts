import type { TenantTx } from '../../../platform/database/database.ts'
import { dayOf } from '../../../platform/instant.ts'
import { registerFree } from '../../../platform/database/directory.ts'
import { formatId, newId, newIdAt, type Id } from '../../../platform/ids.ts'
import { type Scope, signalOf } from '../../../platform/scope.ts'
import { stageEvents } from '../publishing/publishing.service.ts'
import * as store from './acceptance.store.ts'
import { insertSurveyDeliveries, type NewSurveyDelivery } from './deliveries.store.ts'

/** The directory leads from a provider's id of a message to its tenant. */
export const PROVIDER_MESSAGE = 'provider_message'

export type { AcceptedSend } from './acceptance.store.ts'

/** Providers took messages that were not known to be accepted before. */
export const ACCEPTED = signalOf<store.AcceptedSend[]>('sends.accepted')

export interface Acceptance {
  sendId: Id<'send'>
  providerId: string | null
}

/**
 * Records that a provider took these messages. Each becomes `accepted` and gets its survey delivery record, and
 * `survey.sent` is staged (docs/specification.md, "Survey delivery records"). A second time changes nothing.
 * @returns the sends that were not known to be accepted before; their author is notified of them.
 */
export async function recordAccepted(
  scope: Scope,
  tx: TenantTx,
  acceptances: Acceptance[],
): Promise<store.AcceptedSend[]> {
  const at = scope.clock.now()
  const accepted = await store.updateAccepted(
    tx,
    acceptances.map(({ sendId }) => sendId),
    acceptances.map(({ providerId }) => providerId),
    at,
  )
  if (accepted.length === 0) return []
  const day = dayOf(at)
  const records: NewSurveyDelivery[] = accepted.map((send) => ({
    id: send.by_day ? newIdAt('surveyDelivery', day) : newId('surveyDelivery'),
    survey_id: send.survey_id,
    channel: send.channel,
    accepted_at: send.by_day ? day : at,
    source: `send:${send.id}`,
  }))
  const byDay = new Set(accepted.filter((send) => send.by_day).map(({ survey_id }) => survey_id))
  const written = await insertSurveyDeliveries(tx, records)
  const events = records
    .filter(({ id }) => written.has(id))
    .map(({ source, survey_id, channel, accepted_at }) => ({
      type: 'survey.sent' as const,
      surveyId: survey_id,
      source: `${source}:sent`,
      data: { surveyId: formatId('survey', survey_id), channel, acceptedAt: accepted_at.toISOString() },
      ...(byDay.has(survey_id) && { at: day }),
    }))
  await stageEvents(scope, tx, events)
  await registerFree(
    tx,
    PROVIDER_MESSAGE,
    accepted.map((send) => send.provider_id).filter((id) => id !== null),
  )
  await scope.signals.emit(ACCEPTED, scope, tx, accepted)
  return accepted
}

/** Notes the provider's id of a message that it took before without telling us one, unless its person was erased. */
export async function learnProviderId(tx: TenantTx, id: Id<'send'>, providerId: string): Promise<void> {
  if ((await store.updateProviderId(tx, id, providerId)) === 0) return
  await registerFree(tx, PROVIDER_MESSAGE, [providerId])
}
