import { uuidv7 } from 'uuidv7'
import type { TenantTx } from '../../platform/database.ts'
import type { Id } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import { beginTalk } from '../../survey-engine/conversation.ts'
import { readCustomData } from '../../survey-engine/custom-data.ts'
import type { CustomData } from '../../survey-engine/definition.ts'
import { fit, LONGEST_SMS } from '../../survey-engine/prompts.ts'
import { readCurrentSurvey } from '../surveys/published-surveys.service.ts'
import { readWorkspace } from '../workspaces/workspaces.service.ts'
import { messagesIn } from './conversation-messages.ts'
import { dayIn, languageOf, sealConfidential, UNANSWERED_MS } from './conversation-row.ts'
import * as store from './conversations.store.ts'
import { endUnfinished } from './endings.service.ts'

/** An invitation by SMS, about to be sent. Addresses are E.164. */
export interface Invited {
  sendId: Id<'send'>
  surveyId: Id<'survey'>
  /** A number of the workspace. */
  from: string
  to: string
  addressHash: string
  masked: string
  language: string | null
  customData: CustomData
  name: string
}

/**
 * Writes the first message of an invitation and opens the conversation that its answers belong to, in the transaction before
 * the message is sent. The same send says the same again. An older conversation with this person on this number ends.
 */
export async function openSmsConversation(scope: Scope, tx: TenantTx, invited: Invited): Promise<{ text: string }> {
  const { sendId, surveyId, from, to, addressHash } = invited
  const known = await store.findOfSend(tx, sendId)
  if (known?.opening) return { text: scope.secrets.open(known.opening, openingContext(known.id)) }

  const { version, definition } = await readCurrentSurvey(tx, surveyId)
  const workspace = await readWorkspace(tx)
  const language = languageOf(definition, [invited.language])
  const messages = messagesIn(language)
  const now = scope.clock.now()
  const customData = readCustomData(definition, Object.fromEntries(definition.custom_fields.map((field) => [field, invited.customData[field] ?? null]))).values
  const { talk, say } = beginTalk({ definition, channel: 'sms', language, values: {}, customData, today: dayIn(workspace.timezone, now) })
  const hint = `\n\n${messages.stopHint}`
  const text = fit(`${messages.greeting(fit(workspace.name, 120), fit(invited.name, 80))}\n\n${say}`, LONGEST_SMS - hint.length) + hint

  const id = uuidv7()
  const row: store.ConversationRow = {
    id,
    channel: 'sms',
    number: from,
    address_hash: addressHash,
    masked: invited.masked,
    survey_id: surveyId,
    survey_version: version,
    language,
    send_id: sendId,
    call_id: null,
    opening: scope.secrets.seal(text, openingContext(id)),
    opened_at: now,
    response_id: null,
    asked: talk.asked,
    part: talk.part,
    seen: talk.seen,
    tries: 0,
    silences: 0,
    step: 0,
    sealed: sealConfidential(scope.secrets, id, { address: to, name: invited.name, customData, pending: null }),
    next_action_at: new Date(now.getTime() + UNANSWERED_MS),
    reminded_at: null,
    updated_at: now,
    ended_at: null,
    ended_reason: null,
    late_told: false,
  }
  // Another send to the same person may be under way; the later one stays open.
  for (let attempt = 0; attempt < 3; attempt++) {
    const older = await store.lockOpen(tx, from, addressHash)
    if (older) await endUnfinished(scope, tx, older, 'superseded')
    if (await store.insertConversation(tx, row)) return { text }
  }
  throw new Error('others open conversations with the same person faster than they can be ended')
}

/** The provider did not take the message, or it was called off: nobody waits for an answer. */
export async function closeConversationOfSend(tx: TenantTx, sendId: Id<'send'>): Promise<void> {
  await store.deleteUnanswered(tx, sendId)
}

function openingContext(id: string): string {
  return `conversations:${id}:opening`
}
