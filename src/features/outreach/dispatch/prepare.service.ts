import type { Channel } from '../../../platform/channel.ts'
import type { TenantTx } from '../../../platform/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { createTiming, timingRules } from '../invitations/timing.ts'
import { openRecipient, type Recipient } from '../../delivery/sends/recipient.ts'
import { listSuppressed } from '../suppression/suppression.service.ts'
import { readCurrentSurvey } from '../../surveys/surveys/published-surveys.service.ts'
import { readWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { decide } from './decide.ts'
import * as store from './dispatch.store.ts'
import { afterFault } from './send-attempt.ts'
import { readSenders, writeCalls, writeEmails, type Prepared, type Survey, type Wanted } from './messages.service.ts'

/**
 * Writes the messages of claimed sends, in the transaction of their claim. What is not to go out, or not yet, is settled here.
 */
export async function prepare(
  scope: Scope,
  tx: TenantTx,
  channel: Channel,
  claimed: store.ClaimedSend[],
  claim: Pick<store.SendClaim, 'leaseToken' | 'now'>,
): Promise<Prepared[]> {
  const { now, leaseToken } = claim
  const invitations = new Map((await store.listInvitationHeads(tx, unique(claimed.map((send) => send.invitation_id)))).map((head) => [head.id, head]))
  const surveys = await readSurveys(tx, unique(claimed.map((send) => send.survey_id)))
  const suppressed = await listSuppressed(tx, channel, unique(claimed.map((send) => send.address_hash)))
  const reminders = claimed.filter((send) => send.reminder > 0)
  const answered =
    reminders.length > 0
      ? await store.listAnswered(
          tx,
          reminders.map((send) => send.first_send_id),
        )
      : new Set()
  const workspace = await readWorkspace(tx)
  const languages = unique(claimed.map((send) => send.language))
  const senders = await readSenders(tx, channel, languages)
  const timings = new Map(languages.map((language) => [language, createTiming(timingRules(workspace, senders.get(language)), now)]))

  const settled: store.Settled[] = []
  const wanted: Wanted[] = []
  for (const send of claimed) {
    const recipient = send.recipient === null ? null : openRecipient(scope.secrets, send.id, send.recipient)
    const survey = surveys.get(send.survey_id)
    const invitation = invitations.get(send.invitation_id)
    // What a provider may have is called again under its key, whatever has changed since.
    const again = wasInDoubt(send, claim) && recipient && survey && invitation
    if (again) {
      wanted.push({ send, recipient, survey, templateId: invitation.template_id })
      continue
    }
    const decision = decide(
      {
        invitation,
        opening: survey?.opening,
        erased: recipient === null,
        suppressed: suppressed.has(send.address_hash),
        answered: answered.has(send.first_send_id),
        awakeAt: recipient && (timings.get(send.language)?.(channel, recipient.address, recipient.timezone) ?? null),
      },
      now,
    )
    const { id, attempts } = send
    if (decision.kind === 'end') settled.push({ id, attempts, inDoubt: false, status: decision.status, reason: decision.reason, nextAttemptAt: null })
    else if (decision.kind === 'wait') settled.push({ id, attempts, inDoubt: false, status: 'queued', reason: null, nextAttemptAt: decision.until })
    else if (recipient && survey) wanted.push({ send, recipient, survey, templateId: invitation?.template_id ?? null })
  }
  if (settled.length > 0) await store.updateSettled(tx, leaseToken, settled, now)
  return channel === 'email' ? writeEmails(scope, tx, wanted, workspace) : writeCalls(scope, tx, channel, wanted, senders, leaseToken)
}

/** The same messages once more, to ask a provider whether it took them; whether they should have gone out is no question now. */
export async function prepareAgain(
  scope: Scope,
  tx: TenantTx,
  channel: 'sms' | 'voice',
  claimed: store.ClaimedSend[],
  claim: Pick<store.SendClaim, 'leaseToken' | 'now'>,
): Promise<Prepared[]> {
  const surveys = await readSurveys(tx, unique(claimed.map((send) => send.survey_id)))
  const wanted: Wanted[] = []
  const unreadable: store.Settled[] = []
  for (const send of claimed) {
    const survey = surveys.get(send.survey_id)
    const recipient = openOrNull(scope, send)
    if (survey && recipient) wanted.push({ send, survey, recipient, templateId: null })
    else unreadable.push({ id: send.id, inDoubt: true, ...afterFault(send.attempts, 'internal_error', claim.now) })
  }
  if (unreadable.length > 0) await store.updateSettled(tx, claim.leaseToken, unreadable, claim.now)
  const senders = await readSenders(
    tx,
    channel,
    wanted.map(({ send }) => send.language),
  )
  return writeCalls(scope, tx, channel, wanted, senders, claim.leaseToken)
}

// One that cannot be opened keeps no other from being settled.
function openOrNull({ secrets, log }: Scope, { id, recipient }: store.ClaimedSend): Recipient | null {
  try {
    return recipient === null ? null : openRecipient(secrets, id, recipient)
  } catch (err) {
    log.error({ err, sendId: id }, 'a recipient could not be opened')
    return null
  }
}

/** Whether a provider may have had a claimed send before: since a moment before this claim. */
export function wasInDoubt({ calling_at }: Pick<store.ClaimedSend, 'calling_at'>, { now }: Pick<store.SendClaim, 'now'>): boolean {
  return calling_at < now
}

async function readSurveys(tx: TenantTx, ids: Id<'survey'>[]): Promise<Map<Id<'survey'>, Survey>> {
  const surveys = new Map<Id<'survey'>, Survey>()
  for (const id of ids) surveys.set(id, await readCurrentSurvey(tx, id))
  return surveys
}

function unique<T>(items: T[]): T[] {
  return [...new Set(items)]
}
