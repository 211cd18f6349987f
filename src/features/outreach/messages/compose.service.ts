import type { Channel } from '../../../platform/ports/provider.ts'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import { parseId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { readWorkspace } from '../../access/workspaces/workspaces.service.ts'
import type { Claimed, Composed, Unsent } from '../../delivery/sends/dispatch/author.service.ts'
import { openRecipient, type Recipient } from '../../delivery/sends/send-secrets.ts'
import { listAnswered, listChains } from '../../delivery/sends/sends.service.ts'
import type { SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { surveyLanguages } from '../../../survey-engine/model/text.ts'
import { takesAnswer } from '../../../survey-engine/types/registry.ts'
import { readCurrentSurvey } from '../../surveys/surveys/published-surveys.service.ts'
import { listInvitationHeads, type InvitationHead } from '../invitations/invitations.service.ts'
import { createTiming, timingRules } from '../quiet-hours/quiet-hours.ts'
import { isObjection } from '../suppression/suppression.schema.ts'
import { listSuppressed } from '../suppression/suppression.service.ts'
import { decide } from './decide.ts'
import { writeEmails, type Survey, type Wanted } from './emails.service.ts'
import { readSenders, writePhoneMessages } from './phone-messages.service.ts'

/** Decides for each claimed send whether its message goes out now, and writes the messages that do. */
export async function compose(scope: Scope, tx: TenantTx, channel: Channel, claimed: Claimed[]): Promise<Composed[]> {
  const { unsent, wanted, senders, workspace } = await decideEach(scope, tx, channel, claimed)
  const written =
    channel === 'email'
      ? await writeEmails(scope, tx, wanted, workspace)
      : await writePhoneMessages(scope, tx, channel, wanted, senders)
  return [...unsent, ...written]
}

/** The sends whose message does not go out any more. */
export async function decideAgain(scope: Scope, tx: ReadTx, channel: Channel, claimed: Claimed[]): Promise<Unsent[]> {
  return (await decideEach(scope, tx, channel, claimed)).unsent
}

async function decideEach(scope: Scope, tx: ReadTx, channel: Channel, claimed: Claimed[]) {
  const now = scope.clock.now()
  const invitations = new Map(
    (await listInvitationHeads(tx, unique(claimed.map((send) => send.invitation_id)))).map((head) => [head.id, head]),
  )
  const surveys = await readSurveys(scope, tx, unique(claimed.map((send) => send.survey_id)))
  const suppressed = await listSuppressed(tx, channel, unique(claimed.map((send) => send.address_hash)))
  const answered = await readAnswered(tx, claimed)
  const objected = await readObjected(tx, channel, claimed)
  const workspace = await readWorkspace(tx)
  const languages = unique(claimed.map((send) => send.language))
  const senders = await readSenders(tx, channel, languages)
  const timings = new Map(
    languages.map((language) => [language, createTiming(timingRules(workspace, senders.get(language)), now)]),
  )

  const unsent: Unsent[] = []
  const wanted: Wanted[] = []
  for (const send of claimed) {
    const recipient = send.recipient === null ? null : openRecipient(scope.secrets, send.id, send.recipient)
    const survey = surveys.get(send.survey_id)
    const invitation = invitations.get(send.invitation_id)
    const decision = decide(
      {
        invitation,
        opening: survey?.opening,
        erased: recipient === null,
        suppressed: suppressed.has(send.address_hash) || objected.has(send.first_send_id),
        answered: answered.has(send.first_send_id),
        awakeAt: recipient && (timings.get(send.language)?.(channel, recipient.address, recipient.timezone) ?? null),
        inDoubt: send.wasInDoubt,
      },
      now,
    )
    if (decision.kind !== 'send') unsent.push({ send, outcome: decision })
    else if (recipient && survey) wanted.push({ send, recipient, survey, ...contentOf(invitation, send) })
  }
  return { unsent, wanted, senders, workspace }
}

/** Writes the same messages once more; whether they should go out is not decided again. */
export async function composeAgain(
  scope: Scope,
  tx: TenantTx,
  channel: 'sms' | 'voice',
  claimed: Claimed[],
): Promise<Composed[]> {
  const surveys = await readSurveys(scope, tx, unique(claimed.map((send) => send.survey_id)))
  const wanted: Wanted[] = []
  const unreadable: Unsent[] = []
  for (const send of claimed) {
    const survey = surveys.get(send.survey_id)
    const recipient = openOrNull(scope, send)
    if (survey && recipient) wanted.push({ send, survey, recipient, templateId: null, words: null })
    else unreadable.push({ send, outcome: { kind: 'fault' } })
  }
  const senders = await readSenders(
    tx,
    channel,
    wanted.map(({ send }) => send.language),
  )
  return [...unreadable, ...(await writePhoneMessages(scope, tx, channel, wanted, senders))]
}

// One that cannot be opened keeps no other from being settled.
function openOrNull({ secrets, log }: Scope, { id, recipient }: Claimed): Recipient | null {
  try {
    return recipient === null ? null : openRecipient(secrets, id, recipient)
  } catch (err) {
    log.error({ err, sendId: id }, 'a recipient could not be opened')
    return null
  }
}

async function readSurveys(scope: Scope, tx: ReadTx, ids: Id<'survey'>[]): Promise<Map<Id<'survey'>, Survey>> {
  const surveys = new Map<Id<'survey'>, Survey>()
  for (const id of ids) {
    const survey = await readCurrentSurvey(scope, tx, id)
    surveys.set(id, { ...survey, definition: shortened(survey.definition) })
  }
  return surveys
}

/** A claim may have hundreds of surveys, and a message names no question past the first that takes an answer. */
function shortened(definition: SurveyDefinition): SurveyDefinition {
  const first = definition.questions.find(takesAnswer)
  const languages = surveyLanguages(definition)
  return { ...definition, languages, questions: first ? [first] : [], logic: [], endings: [] }
}

/** The first messages whose person has answered: only a reminder depends on that. */
async function readAnswered(tx: ReadTx, claimed: Claimed[]): Promise<Set<Id<'send'>>> {
  const reminders = claimed.filter((send) => send.reminder > 0)
  if (reminders.length === 0) return new Set()
  return listAnswered(
    tx,
    reminders.map((send) => send.first_send_id),
  )
}

/** The first messages whose person objected on another channel: a reminder that changes the channel heeds that too. */
async function readObjected(tx: ReadTx, channel: Channel, claimed: Claimed[]): Promise<Set<Id<'send'>>> {
  const reminders = claimed.filter((send) => send.reminder > 0)
  if (reminders.length === 0) return new Set()
  const sent = await listChains(tx, unique(reminders.map((send) => send.first_send_id)))
  const objected = new Set<Id<'send'>>()
  for (const other of unique(sent.map((send) => send.channel)).filter((one) => one !== channel)) {
    const own = sent.filter((send) => send.channel === other)
    const reasons = await listSuppressed(tx, other, unique(own.map((send) => send.address_hash)))
    for (const send of own) {
      const reason = reasons.get(send.address_hash)
      if (reason && isObjection(reason)) objected.add(send.first_send_id)
    }
  }
  return objected
}

/** A reminder has its own template, or that of an invitation by email, and its own words, if any. */
function contentOf(
  invitation: Pick<InvitationHead, 'template_id' | 'reminders'> | undefined,
  { reminder }: Claimed,
): Pick<Wanted, 'templateId' | 'words'> {
  const own = invitation?.reminders[reminder - 1]
  const templateId = own?.template_id === undefined ? invitation?.template_id : parseId('template', own.template_id)
  return { templateId: templateId ?? null, words: own?.words ?? null }
}

function unique<T>(items: T[]): T[] {
  return [...new Set(items)]
}
