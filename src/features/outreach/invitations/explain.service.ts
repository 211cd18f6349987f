import type { z } from 'zod'
import { badRequest, notFound } from '../../../http/problems/problem.ts'
import type { Channel } from '../../../platform/ports/provider.ts'
import type { ReadTx } from '../../../platform/database/database.ts'
import { formatId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { readWorkspace } from '../../access/workspaces/workspaces.service.ts'
import type { SendRow } from '../../delivery/sends/send.entity.ts'
import { listSendsToAddresses, presentSend, readRecipient } from '../../delivery/sends/sends.service.ts'
import { opennessOf } from '../../surveys/surveys/openness.ts'
import { readCurrentSurvey } from '../../surveys/surveys/published-surveys.service.ts'
import { HOW_TO_WRITE_ADDRESS, maskAddress, parseEitherAddress } from '../../trust/addresses/address.ts'
import { readAddressHash } from '../../trust/addresses/addresses.service.ts'
import { findSender } from '../inbound-numbers/inbound-numbers.service.ts'
import { listSuppressed } from '../suppression/suppression.service.ts'
import { readContacts } from './decisions.service.ts'
import type { InvitationExplanation } from './invitations.schema.ts'
import type { InvitationRow } from './invitation-row.ts'
import { createTiming, timingRules } from '../quiet-hours/quiet-hours.ts'
import * as store from './invitations.store.ts'

type Presented = z.input<typeof InvitationExplanation>
type Check = Presented['checks'][number]

interface Standing {
  invitation: InvitationRow
  channel: Channel
  /** This person's messages of this invitation, the oldest first. */
  own: SendRow[]
}

/**
 * Says why a person got a message of an invitation or did not: each rule with its outcome, as it stands now. The
 * reasons of messages are those of the time when they were decided.
 * @param text an email address or a phone number.
 * @throws Problem 404 for the invitation, 400 for text that is no address.
 */
export async function explainInvitation(scope: Scope, id: Id<'invitation'>, text: string): Promise<Presented> {
  const { channel, address } = readAddress(text)
  return scope.read(async (tx) => {
    const invitation = await store.findInvitation(tx, id)
    if (!invitation) throw notFound('invitation')
    const hash = (await readAddressHash(scope, tx))(channel, address)
    const sends = await listSendsToAddresses(tx, [hash])
    const first = sends.find(({ invitation_id }) => invitation_id === id)
    const own = sends
      .filter((send) => send.invitation_id === id && send.first_send_id === first?.first_send_id)
      .toReversed()
    const standing = { invitation, channel, own }
    return {
      invitation_id: formatId('invitation', id),
      recipient: maskAddress(channel, address),
      sent: own.some(({ accepted_at }) => accepted_at !== null),
      checks: [
        inList(standing),
        notCancelled(standing),
        ...(await ofSurvey(scope, tx, standing)),
        await notSuppressed(tx, standing, hash),
        notDuplicate(standing, sends),
        ...(await ofWorkspace(scope, tx, standing, { address, hash })),
        sentOut(standing),
        ...reminders(standing),
      ],
      sends: own.map(presentSend),
    }
  })
}

function readAddress(text: string): { channel: Channel; address: string } {
  const found = parseEitherAddress(text)
  if (found === null) throw badRequest([{ path: 'recipient', message: HOW_TO_WRITE_ADDRESS }])
  return found
}

function inList({ invitation, channel, own }: Standing): Check {
  if (own.length > 0) return passed('in_list', 'The invitation has a message for this address.')
  if ((channel === 'email') !== (invitation.channel === 'email'))
    return failed('in_list', `The invitation goes out by ${invitation.channel}, and no reminder reached this address.`)
  if (invitation.undecided > 0)
    return failed('in_list', 'Earshot is still choosing people from the segment. Ask again in a minute.')
  return failed(
    'in_list',
    'There is no message for this address. It was not in the list, or the invitation skipped it. ' +
      'The checks below show which rules would skip it now.',
  )
}

function notCancelled({ invitation: { cancelled_at } }: Standing): Check {
  return cancelled_at
    ? failed('not_cancelled', `The invitation was cancelled at ${cancelled_at.toISOString()}.`)
    : passed('not_cancelled', 'The invitation was not cancelled.')
}

async function ofSurvey(scope: Scope, tx: ReadTx, { invitation, own }: Standing): Promise<Check[]> {
  const { opening } = await readCurrentSurvey(scope, tx, invitation.survey_id)
  const openness = opennessOf(opening, scope.clock.now())
  const completed = own.find(({ completed_at }) => completed_at !== null)?.completed_at
  return [
    openness === 'open'
      ? passed('survey_live', 'The survey takes responses.')
      : failed('survey_live', `The survey takes no responses now: ${openness}.`),
    own.some((send) => send.by_day)
      ? passed('not_answered', 'The survey is anonymous, so nobody knows whether the person has answered.')
      : completed
        ? failed('not_answered', `The person answered at ${completed.toISOString()}, so no reminder follows.`)
        : passed('not_answered', 'The person has not answered this invitation.'),
  ]
}

async function notSuppressed(tx: ReadTx, { channel }: Standing, hash: string): Promise<Check> {
  const reason = (await listSuppressed(tx, channel, [hash])).get(hash)
  return reason
    ? failed('not_suppressed', `The address is suppressed: ${reason}.`)
    : passed('not_suppressed', 'The address is not suppressed.')
}

function notDuplicate({ invitation }: Standing, sends: SendRow[]): Check {
  const other = sends.find(
    (send) =>
      send.invitation_id !== invitation.id &&
      send.survey_id === invitation.survey_id &&
      send.reminder === 0 &&
      (send.status === 'queued' || send.status === 'calling'),
  )
  return other
    ? failed(
        'not_duplicate',
        `Another invitation to this survey already waits for this address: ${formatId('send', other.id)}.`,
      )
    : passed('not_duplicate', 'No other invitation to this survey waits for this address.')
}

async function ofWorkspace(
  scope: Scope,
  tx: ReadTx,
  { channel, own }: Standing,
  { address, hash }: { address: string; hash: string },
): Promise<Check[]> {
  const workspace = await readWorkspace(tx)
  const last = own.at(-1)
  const sender = channel === 'email' ? null : await findSender(tx, channel, last?.language ?? null)
  const known = last && (await readRecipient(scope, tx, last.id))
  const now = scope.clock.now()
  const rule = workspace.contact_frequency
  const isOver = (await readContacts(tx, rule, now, [hash]))(hash)
  const awakeAt = createTiming(timingRules(workspace, sender), now)(channel, address, known?.timezone ?? null)
  const limit =
    rule &&
    `${rule.max_contacts} ${rule.max_contacts === 1 ? 'message' : 'messages'} in ${rule.per_days} ${rule.per_days === 1 ? 'day' : 'days'}`
  return [
    isOver
      ? failed('contact_frequency', `The workspace allows ${limit}, and this person has had them.`)
      : passed('contact_frequency', limit ? `The workspace allows ${limit}.` : 'The workspace has no limit.'),
    awakeAt && awakeAt <= now
      ? passed('quiet_hours', 'It is not quiet now.')
      : failed('quiet_hours', awakeAt ? `It is quiet until ${awakeAt.toISOString()}.` : 'It is always quiet.'),
  ]
}

function sentOut({ own: [first] }: Standing): Check {
  if (!first) return failed('sent', 'Nothing was sent.')
  const reason = first.reason === null ? '' : ` (${first.reason})`
  if (first.accepted_at)
    return passed('sent', `The provider took the message at ${first.accepted_at.toISOString()}. It is ${first.status}.`)
  if (first.next_attempt_at) return failed('sent', `The message waits until ${first.next_attempt_at.toISOString()}.`)
  return failed('sent', `The message is ${first.status}${reason}.`)
}

function reminders({ invitation, own }: Standing): Check[] {
  return invitation.reminders.map((_, index): Check => {
    const check = `reminder_${index + 1}`
    const send = own.find(({ reminder }) => reminder === index + 1)
    if (!send)
      return failed(check, 'It is not planned yet. Earshot plans it when the provider takes the previous message.')
    if (send.accepted_at) return passed(check, `The provider took it at ${send.accepted_at.toISOString()}.`)
    if (send.next_attempt_at) return passed(check, `It is due at ${send.next_attempt_at.toISOString()}.`)
    return failed(check, `It is ${send.status}${send.reason === null ? '' : `: ${send.reason}`}.`)
  })
}

function passed(check: string, detail: string): Check {
  return { check, ok: true, detail }
}

function failed(check: string, detail: string): Check {
  return { check, ok: false, detail }
}
