import { messagesFor } from '../../../survey-engine/language/messages.ts'
import type { Setting, Turn } from '../../../survey-engine/talk/conversation.ts'
import type { Captured } from '../../answers/capture/submission/submissions.service.ts'
import { sendToken } from '../../delivery/sends/send-secrets.ts'
import type { ConversationRow as Row } from './conversations.store.ts'
import type { TurnWork } from './turns.service.ts'

/** The submission of a turn. */
export function submissionOf(row: Row, turn: Turn) {
  return {
    answers: turn.answers,
    customData: {},
    language: row.language,
    completed: turn.ended === 'completed',
    seen: turn.talk.seen,
  }
}

/**
 * The submission of the turn that begins a response. The phone number identifies the device. In a survey with
 * single-use links it identifies the link too.
 */
export function firstOf(scope: TurnWork['scope'], row: Row, customData: Setting['customData']) {
  const token = row.send_id
    ? sendToken(scope.secrets, 'respond', { tenantId: scope.tenantId, id: row.send_id })
    : undefined
  const who = { token, ...(!token && { ticket: `phone:${row.address_hash}` }), device: row.address_hash }
  return { customData, channel: row.channel, ...who, ...(row.response_id && { id: row.response_id }) }
}

/** The words after a turn: those of a full quota, if the answer met one. */
export function sayAfter({ row, survey }: Captured, turn: Turn, language: string): string {
  return row.state === 'over_quota' ? messagesFor(language, survey.definition)('chat_full') : turn.say
}

/** The custom data that the survey has fields for. */
export function declared(fields: string[], given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => fields.includes(name)))
}
