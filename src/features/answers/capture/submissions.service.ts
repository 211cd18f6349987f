import { isDeepStrictEqual } from 'node:util'
import { conflict, notFound, unprocessable } from '../../../http/problem.ts'
import { newId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { CustomData, SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { evaluate, type Evaluation } from '../../../survey-engine/logic/evaluation.ts'
import { joinAnswers } from '../../../survey-engine/logic/stored-answers.ts'
import { languageFor } from '../../../survey-engine/model/text.ts'
import { NOBODY, readSubscribers } from '../../delivery/events/subscribers.service.ts'
import {
  readDefinition,
  readOpening,
  readOpenSurvey,
  takePlaces,
  type PublishedSurvey,
} from '../../surveys/surveys/published-surveys.service.ts'
import {
  addResponse,
  lockResponse,
  refuseRepeat,
  saveResponse,
  type ResponseRow,
} from '../responses/responses.service.ts'
import type { Attempt } from './attempts.service.ts'
import { dedupeKey } from './dedupe.ts'
import { readInvited, tellInvitation } from './invited.service.ts'
import { settle } from './settlement.service.ts'
import { requireTicket } from './tickets.service.ts'

export interface Submission {
  answers: Record<string, unknown>
  customData: Record<string, unknown>
  language: string | undefined
  completed: boolean
  /** Questions put to the respondent besides those answered; conversations and pages know them. */
  seen?: string[]
  /** The respondent goes back to change an answer: those given so far decide nothing. */
  revising?: boolean
}

export interface FirstSubmission extends Submission {
  channel: string
  /** The token of a link or an invitation; anybody can have made it up. */
  token: string | undefined
  /** Stands for a link's token where we know the respondent otherwise, as on the phone. */
  ticket?: string
  device: string | undefined
  /** When the respondent began, where that was measured. */
  startedAt?: Date
  /** Chosen before the respondent began, so that sending the same thing twice makes one response. */
  id?: Id<'response'>
}

export interface Captured {
  row: ResponseRow
  evaluation: Evaluation
  survey: Pick<PublishedSurvey, 'definition'>
}

/**
 * Begins a response, or takes a whole one. Everything that follows from it (quotas, the event and its deliveries) is in
 * the same transaction.
 * @throws Problem 404 or 410 where the survey takes none, 422 with an issue for each answer that breaks a rule, 409 for
 *   a repeat.
 */
export async function beginResponse(
  scope: Scope,
  { tx, full }: Attempt,
  surveyId: Id<'survey'>,
  submission: FirstSubmission,
): Promise<Captured> {
  // Asked for together: the respondent waits for each round trip.
  const [survey, subscribers, invited] = await Promise.all([
    readOpenSurvey(scope, tx, surveyId),
    submission.completed ? readSubscribers(scope, tx, 'response.completed') : NOBODY,
    readInvited(scope, tx, surveyId, submission.token),
  ])
  const { definition } = survey
  const evaluation = judge(
    survey,
    invited
      ? { ...submission, customData: { ...submission.customData, ...declaredOf(definition, invited.customData) } }
      : submission,
  )
  const ticket = requireTicket(scope, survey, submission, invited)
  const key = dedupeKey(survey, evaluation.values, { ...submission, ticket, origin: scope.origin })
  // Where two are finished, the second cannot be stored.
  if (key !== null && !submission.completed) await refuseRepeat(tx, surveyId, key)
  const now = scope.clock.now()
  const { row, places } = settle(
    scope,
    survey,
    evaluation,
    { full, revising: false },
    {
      id: submission.id ?? newId('response'),
      survey_id: surveyId,
      survey_version: survey.version,
      state: 'started',
      held_state: null,
      channel: invited?.channel ?? submission.channel,
      language: languageFor(definition, [submission.language]),
      answers: [],
      text: [],
      custom_data: {},
      path: [],
      metric: null,
      score: null,
      band: null,
      agent_id: invited?.agentId ?? null,
      started_at: submission.startedAt ?? now,
      completed_at: null,
      duration_ms: null,
      tags: [],
      notes: [],
      quality_flags: [],
      dedupe_key: key,
      quotas: [],
      updated_at: now,
    },
  )
  if (invited) await tellInvitation(tx, row, invited)
  await addResponse(scope, tx, row, subscribers)
  takePlaces(tx, surveyId, places)
  return { row, evaluation, survey }
}

/**
 * Adds answers to a response in the version that it was begun in, and completes it when asked. The same completion
 * again changes nothing and answers the same.
 * @param locked the response, where the caller has locked it.
 * @throws Problem 404 when it is gone, 410 when the survey is not open, 409 for a change of a finished response, 422 as
 *   in `beginResponse`.
 */
export async function addAnswers(
  scope: Scope,
  { tx, full }: Attempt,
  id: Id<'response'>,
  submission: Submission,
  locked?: ResponseRow,
): Promise<Captured> {
  const before = locked ?? (await lockResponse(tx, id))
  if (!before || before.state === 'deleted') throw notFound('response')
  const definition = await readDefinition(scope, tx, before.survey_id, before.survey_version)
  const values = joinAnswers(definition, before.answers, before.text)
  const whole = {
    ...submission,
    language: submission.language ?? before.language,
    answers: { ...values, ...submission.answers },
    customData: { ...before.custom_data, ...submission.customData },
  }

  if (before.completed_at) {
    const again = evaluate(definition, {
      answers: whole.answers,
      custom_data: whole.customData,
      completed: true,
      language: whole.language,
    })
    const same =
      again.issues.length === 0 &&
      isDeepStrictEqual(again.values, values) &&
      isDeepStrictEqual(again.custom_data, before.custom_data)
    if (!same) throw conflict('already_completed', 'This response is complete; its answers do not change any more.')
    return { row: before, evaluation: again, survey: { definition } }
  }

  const [opening, subscribers] = await Promise.all([
    readOpening(scope, tx, before.survey_id),
    submission.completed ? readSubscribers(scope, tx, 'response.completed') : NOBODY,
  ])
  const survey = {
    id: before.survey_id,
    version: before.survey_version,
    definition,
    responseLimit: opening.response_limit,
    counts: opening.counts,
  }
  const evaluation = judge(survey, whole)
  const key =
    definition.dedupe === 'contact'
      ? dedupeKey(survey, evaluation.values, { ticket: null, device: undefined, origin: null })
      : before.dedupe_key
  const { row, places } = settle(
    scope,
    survey,
    evaluation,
    { full, revising: submission.revising ?? false },
    {
      ...before,
      language: submission.language ? languageFor(definition, [submission.language]) : before.language,
      dedupe_key: key,
      updated_at: scope.clock.now(),
    },
    before,
  )
  if (row.completed_at) await tellInvitation(tx, row)
  await saveResponse(scope, tx, row, subscribers)
  takePlaces(tx, before.survey_id, places)
  return { row, evaluation, survey }
}

// A field may have been taken out of the survey since the invitation went out.
function declaredOf({ custom_fields }: SurveyDefinition, customData: CustomData): CustomData {
  return Object.fromEntries(Object.entries(customData).filter(([name]) => custom_fields.includes(name)))
}

function judge({ definition }: PublishedSurvey, submission: Submission): Evaluation {
  const evaluation = evaluate(definition, {
    answers: submission.answers,
    custom_data: submission.customData,
    completed: submission.completed,
    language: submission.language,
    seen: submission.seen ?? [],
  })
  if (evaluation.issues.length > 0)
    throw unprocessable(
      'invalid_answers',
      evaluation.issues,
      'Some answers are not possible; `issues` says which. Nothing was stored.',
    )
  return evaluation
}
