import { uuidv7 } from 'uuidv7'
import { newId, type Id } from '../../../platform/ids.ts'
import { readCustomData } from '../../../survey-engine/logic/custom-data.ts'
import { languageFor } from '../../../survey-engine/language/nearest.ts'
import { messagesFor, type Say } from '../../../survey-engine/language/messages.ts'
import { beginTalk, type Setting } from '../../../survey-engine/talk/conversation.ts'
import { beginResponse } from '../../answers/capture/submission/submissions.service.ts'
import { readOpenSurvey } from '../../surveys/surveys/published-surveys.service.ts'
import { dayIn, nextActionAt, sealConfidential } from './conversation-row.ts'
import * as store from './conversations.store.ts'
import { over } from './endings.service.ts'
import type { Progress } from './talk.service.ts'
import { declared, firstOf, sayAfter, submissionOf } from './turn-answers.service.ts'
import type { TurnWork } from './turns.service.ts'

export interface Opening {
  channel: 'sms' | 'voice'
  number: string
  address: string | null
  addressHash: string
  masked: string
  surveyId: Id<'survey'>
  /** The conversation uses the first of these that the survey has. */
  languages: (string | null | undefined)[]
  timezone: string
  sendId: Id<'send'> | null
  callId: string | null
  name: string
  customData: Record<string, unknown>
  /** Whether the person has begun. If not, the first reply begins. */
  begun: boolean
}

/**
 * Opens a conversation and asks the first question. `own` gives the survey's version of our words.
 * @throws Problem 404 or 410 if the survey takes no answers, 409 if this person has answered.
 */
export async function openConversation(
  { scope, tx, full }: TurnWork,
  opening: Opening,
): Promise<Progress & { own: Say }> {
  const survey = await readOpenSurvey(scope, tx, opening.surveyId)
  const { definition } = survey
  const language = languageFor(definition, opening.languages)
  const now = scope.clock.now()
  const customData = readCustomData(definition, declared(definition.custom_fields, opening.customData)).values
  const setting: Setting = {
    definition,
    channel: opening.channel,
    language,
    values: {},
    customData,
    today: dayIn(opening.timezone, now),
  }
  const turn = beginTalk(setting)
  const id = uuidv7()
  const begins = opening.begun || turn.ended !== null
  const row: store.ConversationRow = {
    id,
    channel: opening.channel,
    number: opening.number,
    address_hash: opening.addressHash,
    masked: opening.masked,
    survey_id: opening.surveyId,
    survey_version: survey.version,
    language,
    send_id: opening.sendId,
    call_id: opening.callId,
    opening: null,
    opened_at: now,
    response_id: begins ? newId('response') : null,
    asked: turn.talk.asked,
    part: turn.talk.part,
    seen: turn.talk.seen,
    tries: 0,
    silences: 0,
    step: 1,
    sealed: sealConfidential(scope.secrets, id, {
      address: opening.address,
      name: opening.name,
      customData,
      pending: null,
    }),
    next_action_at: nextActionAt({ channel: opening.channel, reminded_at: null }, now),
    reminded_at: null,
    updated_at: now,
    ended_at: null,
    ended_reason: null,
    late_told: false,
  }
  const captured = begins
    ? await beginResponse(scope, { tx, full }, row.survey_id, {
        ...submissionOf(row, turn),
        ...firstOf(scope, row, customData),
      })
    : null
  const ended = turn.ended !== null || captured?.row.completed_at != null
  const kept = ended ? over(row, 'completed', now) : row
  tx.atCommit(store.insertConversation(tx, kept))
  const own = messagesFor(language, definition)
  const say = captured ? sayAfter(captured, turn, language) : turn.say
  return { row: kept, say, isKept: definition.privacy !== 'anonymous', own }
}
