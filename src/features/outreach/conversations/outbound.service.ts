import { uuidv7 } from 'uuidv7'
import type { TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { beginTalk } from '../../../survey-engine/talk/conversation.ts'
import { readCustomData } from '../../../survey-engine/logic/custom-data.ts'
import type { CustomData, LocalizedText } from '../../../survey-engine/model/definition.ts'
import { LONGEST_SMS } from '../../../survey-engine/model/limits.ts'
import { fit } from '../../../survey-engine/talk/prompts.ts'
import { localize } from '../../../survey-engine/model/text.ts'
import { languageFor } from '../../../survey-engine/language/nearest.ts'
import { neverArrives } from '../../delivery/sends/send-state.ts'
import { findSend } from '../../delivery/sends/sends.service.ts'
import { readCurrentSurvey } from '../../surveys/surveys/published-surveys.service.ts'
import { readWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { messagesFor } from '../../../survey-engine/language/messages.ts'
import { dayIn, sealConfidential, UNANSWERED_MS } from './conversation-row.ts'
import * as store from './conversations.store.ts'
import { endUnfinished } from './endings.service.ts'

/** How long an invitation waits before it checks whether an earlier one was sent. */
const ON_ITS_WAY_MS = 10 * 60_000
/** For this time after the last message, an answer belongs to the conversation. */
const FRESH_MS = 60 * 60_000
const OTHERS_AT_ONCE = 10

/** An invitation by SMS before it is sent. Addresses are E.164. */
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
  /** In place of the greeting. */
  words: LocalizedText | null
}

/**
 * The message to send. If an answer now could belong to an earlier invitation, nothing is stored and the send waits.
 */
export type OpenedBySms = { text: string } | { waitUntil: Date }

/**
 * Writes the first message of an invitation and opens its conversation, before the message is sent. A repeated send
 * repeats the message. An older conversation with this person on this number ends, unless it is another survey's
 * invitation on its way or had a message within the hour.
 */
export async function openSmsConversation(scope: Scope, tx: TenantTx, invited: Invited): Promise<OpenedBySms> {
  const { sendId, surveyId, from, to, addressHash } = invited
  const known = await store.findOfSend(tx, sendId)
  if (known?.opening) return { text: scope.secrets.open(known.opening, openingContext(known.id)) }

  const { version, definition } = await readCurrentSurvey(scope, tx, surveyId)
  const workspace = await readWorkspace(tx)
  const language = languageFor(definition, [invited.language])
  const own = messagesFor(language, definition)
  const now = scope.clock.now()
  const customData = readCustomData(
    definition,
    Object.fromEntries(definition.custom_fields.map((field) => [field, invited.customData[field] ?? null])),
  ).values
  const { talk, say } = beginTalk({
    definition,
    channel: 'sms',
    language,
    values: {},
    customData,
    today: dayIn(workspace.timezone, now),
  })
  const hint = `\n\n${own('stop_hint')}`
  const greeting =
    invited.words === null
      ? own(invited.name === '' ? 'greeting' : 'greeting_name', {
          workspace: fit(workspace.name, 120),
          name: fit(invited.name, 80),
        })
      : localize(invited.words, language, definition.default_language)
  const text = fit(`${greeting}\n\n${say}`, LONGEST_SMS - hint.length) + hint

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
  // Parallel sends to the same person may each win twice: with their new row, and when they end the row that this one
  // waited for. The latest stays open.
  for (let attempt = 0; attempt < OTHERS_AT_ONCE * 2; attempt++) {
    const older = await store.lockOpen(tx, from, addressHash)
    const waitUntil = older && older.survey_id !== surveyId ? await busyUntil(tx, older, now) : null
    if (waitUntil) return { waitUntil }
    if (older) await endUnfinished(scope, tx, older, 'superseded')
    if (await store.insertConversationOnce(tx, row)) return { text }
  }
  throw new Error('other sends open conversations with this person faster than they can be ended')
}

/** Closes the conversations of messages that do not go out. */
export async function closeConversationsOfSends(tx: TenantTx, sendIds: Id<'send'>[]): Promise<void> {
  if (sendIds.length > 0) await store.deleteUnanswered(tx, sendIds)
}

/** Until when a conversation delays another survey's invitation. Null if it does not, as after a keyword. */
async function busyUntil(tx: TenantTx, row: store.ConversationRow, now: Date): Promise<Date | null> {
  const send = row.send_id && (await findSend(tx, row.send_id))
  if (!send || neverArrives(send.status)) return null
  if (send.accepted_at === null && row.response_id === null) return new Date(now.getTime() + ON_ITS_WAY_MS)
  const lastWordAt = Math.max(row.updated_at.getTime(), send.accepted_at?.getTime() ?? 0)
  return lastWordAt + FRESH_MS > now.getTime() ? new Date(lastWordAt + FRESH_MS) : null
}

/** The first message of an invitation. Null if the person began, or it was forgotten. */
export function openingOf({ secrets }: Scope, { id, opening }: store.ConversationRow): string | null {
  return opening === null ? null : secrets.open(opening, openingContext(id))
}

function openingContext(id: string): string {
  return `conversations:${id}:opening`
}
