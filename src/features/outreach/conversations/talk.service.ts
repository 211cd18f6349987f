import type { Problem } from '../../../http/problems/problem.ts'
import { newId } from '../../../platform/ids.ts'
import { askAgain, beginTalk, replyTo, type Setting, type Turn } from '../../../survey-engine/talk/conversation.ts'
import { readCustomData } from '../../../survey-engine/logic/custom-data.ts'
import { joinAnswers } from '../../../survey-engine/logic/stored-answers.ts'
import { addAnswers, beginResponse } from '../../answers/capture/submission/submissions.service.ts'
import { lockResponse } from '../../answers/responses/recording.service.ts'
import type { ResponseRow } from '../../answers/responses/responses.service.ts'
import { readDefinition, readOpenSurvey } from '../../surveys/surveys/published-surveys.service.ts'
import { messagesFor } from '../../../survey-engine/language/messages.ts'
import { dayIn, nextActionAt, openConfidential } from './conversation-row.ts'
import * as store from './conversations.store.ts'
import { endUnfinished, over } from './endings.service.ts'
import { declared, firstOf, sayAfter, submissionOf } from './turn-answers.service.ts'
import type { TurnWork } from './turns.service.ts'

type Row = store.ConversationRow

/** The state of a conversation and its next words. */
export interface Progress {
  row: Row
  say: string
  /** Whether its words may be kept with the response: those of an anonymous survey may not. */
  isKept: boolean
}

/** A conversation with the data for its next turn. `over` if the survey takes no more answers from it. */
export type Loaded =
  | {
      kind: 'ready'
      row: Row
      setting: Setting
      customData: Setting['customData']
      isNewVersion: boolean
      response: ResponseRow | null
    }
  | { kind: 'over'; reason: store.EndReason; say: string }

/** @param timezone the person's assumed time zone. @param locked the response, if the caller has locked it. */
export async function loadConversation(
  { scope, tx, refusal }: TurnWork,
  row: Row,
  timezone: string,
  locked?: ResponseRow,
): Promise<Loaded> {
  const say = messagesFor(row.language)
  if (refusal)
    return {
      kind: 'over',
      reason: refusal.code === 'already_answered' ? 'answered_before' : 'survey_closed',
      say: refusalText(refusal, row.language),
    }
  const today = dayIn(timezone, scope.clock.now())
  const base = { channel: row.channel, language: row.language, today }
  if (row.response_id === null) {
    // Capturing the answer checks again whether the survey is open.
    const survey = await readOpenSurvey(scope, tx, row.survey_id)
    const { customData } = openConfidential(scope.secrets, row.id, row.sealed)
    const values = readCustomData(survey.definition, declared(survey.definition.custom_fields, customData)).values
    const setting = { ...base, definition: survey.definition, values: {}, customData: values }
    return {
      kind: 'ready',
      row: { ...row, survey_version: survey.version },
      setting,
      customData: values,
      isNewVersion: survey.version !== row.survey_version,
      response: null,
    }
  }
  const response = locked?.id === row.response_id ? locked : await lockResponse(tx, row.response_id)
  if (!response || response.state === 'deleted')
    return { kind: 'over', reason: 'survey_closed', say: say('chat_closed') }
  if (response.completed_at) return { kind: 'over', reason: 'completed', say: say('already') }
  const definition = await readDefinition(scope, tx, row.survey_id, response.survey_version)
  const setting = {
    ...base,
    definition,
    values: joinAnswers(definition, response.answers, response.text),
    customData: response.custom_data,
  }
  return { kind: 'ready', row, setting, customData: {}, isNewVersion: false, response }
}

/** The effect of a reply, without storing it. */
export function readReply(loaded: Loaded & { kind: 'ready' }, text: string): Turn {
  const { row, setting } = loaded
  return loaded.isNewVersion ? beginTalk(setting) : replyTo(setting, talkOf(row), text)
}

/** Stores a turn: the answer, as in any other channel, and the state of the conversation. */
export async function storeTurn(
  { scope, tx, full }: TurnWork,
  { row, setting, customData, isNewVersion, response }: Loaded & { kind: 'ready' },
  turn: Turn,
): Promise<Progress> {
  const now = scope.clock.now()
  const isKept = setting.definition.privacy !== 'anonymous'
  const moved: Row = {
    ...row,
    asked: turn.talk.asked,
    part: turn.talk.part,
    seen: turn.talk.seen,
    tries: turn.talk.tries,
    silences: 0,
    step: row.step + 1,
    updated_at: now,
    // Not updated at each turn, to spare the index. The sweep finds it early and updates it.
    next_action_at: row.response_id === null ? nextActionAt(row, now) : row.next_action_at,
  }
  // A reply that was not understood leaves the response as it is.
  if (
    row.response_id !== null &&
    turn.ended !== 'completed' &&
    turn.ended !== 'refused' &&
    turn.talk.tries > row.tries
  ) {
    if (turn.ended === 'invalid')
      return { row: await endUnfinished(scope, tx, moved, 'invalid'), say: turn.say, isKept }
    tx.atCommit(store.updateConversation(tx, moved))
    return { row: moved, say: turn.say, isKept }
  }
  // The question changed after it was asked, so it is asked again before an answer is taken.
  if (isNewVersion && turn.ended === null) {
    tx.atCommit(store.updateConversation(tx, moved))
    return { row: moved, say: turn.say, isKept }
  }
  const response_id = row.response_id ?? newId('response')
  const captured = response
    ? await addAnswers(scope, { tx, full }, response.id, submissionOf(row, turn), response)
    : await beginResponse(scope, { tx, full }, row.survey_id, {
        ...submissionOf(row, turn),
        ...firstOf(scope, { ...moved, response_id }, customData),
      })
  const ended = turn.ended ?? (captured.row.completed_at ? 'completed' : null)
  const stored = ended === null ? { ...moved, response_id } : over({ ...moved, response_id }, ended, now)
  tx.atCommit(store.updateConversation(tx, stored))
  return { row: stored, say: sayAfter(captured, turn, setting.language), isKept }
}

/** Asks the waiting question again and stores nothing. */
export function questionAgain({ row, setting, isNewVersion }: Loaded & { kind: 'ready' }): string {
  return isNewVersion ? beginTalk(setting).say : askAgain(setting, talkOf(row))
}

/** Ends a conversation whose survey takes no more answers. */
export async function closeOver(
  { scope, tx }: TurnWork,
  row: Row,
  loaded: Loaded & { kind: 'over' },
): Promise<Progress> {
  if (loaded.reason !== 'completed')
    return { row: await endUnfinished(scope, tx, row, loaded.reason), say: loaded.say, isKept: false }
  const ended = over(row, 'completed', scope.clock.now())
  await tx.prepared(store.updateConversation(tx, ended))
  return { row: ended, say: loaded.say, isKept: false }
}

export function refusalText(refusal: Problem, language: string): string {
  return messagesFor(language)(
    refusal.code === 'already_answered' || refusal.code === 'already_completed' ? 'already' : 'chat_closed',
  )
}

function talkOf({ asked, part, seen, tries }: Row) {
  return { asked, part, seen, tries }
}
