import { notFound, unprocessable, type Problem } from '../../../../http/problems/problem.ts'
import { newId, type Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { SurveyDefinition } from '../../../../survey-engine/model/definition.ts'
import { evaluate, type Evaluation } from '../../../../survey-engine/logic/evaluation.ts'
import { ordersFor, type Orders } from '../../../../survey-engine/logic/shuffle.ts'
import { joinAnswers } from '../../../../survey-engine/logic/stored-answers.ts'
import { languageFor } from '../../../../survey-engine/language/nearest.ts'
import {
  readDefinition,
  readOpening,
  readOpenSurvey,
  type PublishedSurvey,
} from '../../../surveys/surveys/published-surveys.service.ts'
import { takePlaces } from '../../../surveys/surveys/quotas.service.ts'
import { NO_AUDIENCE, readAudience } from '../../responses/completion.service.ts'
import {
  addResponse,
  alreadyAnswered,
  lockResponse,
  refuseRepeat,
  saveResponse,
} from '../../responses/recording.service.ts'
import type { ResponseRow } from '../../responses/responses.service.ts'
import type { PageSigns } from '../../responses/suspicions.ts'
import { blankResponse, withoutMoment, withoutPerson } from '../../rows/response-row.ts'
import { agentIn } from '../../../surveys/agents/naming.service.ts'
import type { Attempt } from './attempts.service.ts'
import { dedupeKey, invitedKey } from './dedupe.ts'
import { exceptInvitation, readInvited, tellInvitation, type Invited } from './invited.service.ts'
import { mayRevise, reviseAnswers } from './revisions.service.ts'
import { settle } from './settlement.service.ts'
import { requireTicket } from './tickets.service.ts'

export interface Submission {
  answers: Record<string, unknown>
  customData: Record<string, unknown>
  language: string | undefined
  completed: boolean
  /** Questions that were shown, besides the answered ones. Conversations and pages know them. */
  seen?: string[]
  /** The respondent goes back to change an answer, so the present answers decide nothing. */
  revising?: boolean
  /** Set for submissions of our own page. */
  signs?: PageSigns | undefined
}

export interface FirstSubmission extends Submission {
  channel: string
  /** The token of a link or an invitation. It may be forged. */
  token: string | undefined
  /** Replaces a link's token if we know the respondent another way, as on the phone. */
  ticket?: string
  device: string | undefined
  /** When the respondent began, if it was measured. */
  startedAt?: Date
  /** A page showed choices and rows in the order that the id gives. */
  wasShuffled?: boolean
  /** Whether a proof of work came with the start token. Absent for SMS and calls, which cannot bring one. */
  isProven?: boolean
  /** Chosen before the respondent began, so that a repeated submission makes only one response. */
  id?: Id<'response'>
}

export interface Captured {
  row: ResponseRow
  evaluation: Evaluation
  survey: Pick<PublishedSurvey, 'definition'>
  /** The token of a preview: then nothing is stored. */
  preview?: string
}

/**
 * Begins or completes a response. Its quotas, event and deliveries are in the same transaction.
 * @throws Problem 404 or 410 if the survey takes no responses, 422 with an issue for each wrong answer, 409 for a
 * repeat.
 */
export async function beginResponse(
  scope: Scope,
  { tx, full }: Attempt,
  surveyId: Id<'survey'>,
  submission: FirstSubmission,
): Promise<Captured> {
  // Run together, because the respondent waits for each round trip.
  const [survey, audience, invited] = await Promise.all([
    readOpenSurvey(scope, tx, surveyId),
    submission.completed ? readAudience(scope, tx) : NO_AUDIENCE,
    readInvited(scope, tx, surveyId, submission.token),
  ])
  const { definition } = survey
  if (invited?.answered) throw alreadyAnswered()
  const evaluation = judge(
    survey,
    invited ? { ...submission, customData: invitedData(definition, submission.customData, invited) } : submission,
  )
  const ticket = requireTicket(scope, survey, submission, invited)
  const key =
    (invited && invitedKey(scope, survey, invited.ticket)) ??
    dedupeKey(scope, survey, evaluation.values, { ...submission, ticket, origin: scope.origin })
  // Two responses may be begun, but only one can be completed.
  if (key !== null && !submission.completed) await refuseRepeat(tx, surveyId, key)
  const now = scope.clock.now()
  const id = submission.id ?? newId('response')
  const isAnonymous = definition.privacy === 'anonymous'
  if (isAnonymous && KNOWN_BY_NUMBER.includes(submission.channel)) throw notFound('survey')
  const { row: settled, places } = settle(
    scope,
    survey,
    evaluation,
    { full, revising: false, signs: submission.signs, lacksProof: lacksProof(definition, submission, invited, ticket) },
    {
      ...blankResponse(now, {
        id: isAnonymous ? withoutMoment(id, submission.startedAt ?? now) : id,
        survey_id: surveyId,
        survey_version: survey.version,
        channel: invited?.channel ?? submission.channel,
        language: languageFor(definition, [submission.language]),
      }),
      agent_id: invited?.agentId ?? (await agentIn(scope, tx, definition, evaluation.custom_data)),
      person_id: invited?.personId ?? null,
      started_at: submission.startedAt ?? now,
      orders: submission.wasShuffled ? ordersIn(definition, id) : null,
      dedupe_key: key,
    },
  )
  const row = isAnonymous ? withoutPerson(settled) : settled
  if (invited) await tellInvitation(scope, tx, row, invited)
  await addResponse(scope, tx, row, audience)
  takePlaces(tx, surveyId, places)
  return { row, evaluation, survey }
}

/**
 * Adds answers to a response in its own version of the survey, and completes it on request. Repeating a completion
 * changes nothing and gets the same answer. Only invited people may change a completed response.
 * @param locked the response, if the caller has locked it.
 * @throws Problem 404 if it is gone, 410 if the survey is not open, 409 for a change of a finished response, 422 as in
 * `beginResponse`.
 */
export async function addAnswers(
  scope: Scope,
  { tx, full }: Attempt,
  id: Id<'response'>,
  submission: Submission,
  locked?: ResponseRow,
): Promise<Captured> {
  const before = locked ?? (await lockResponse(tx, id))
  if (!before || before.state === 'deleted' || before.erased_at) throw notFound('response')
  const definition = await readDefinition(scope, tx, before.survey_id, before.survey_version)
  const values = joinAnswers(definition, before.answers, before.text)
  const whole = {
    ...submission,
    language: submission.language ?? before.language,
    answers: { ...values, ...submission.answers },
    customData: { ...before.custom_data, ...(await exceptInvitation(scope, tx, before, submission.customData)) },
  }

  if (before.completed_at) {
    const again = evaluate(definition, {
      answers: whole.answers,
      custom_data: whole.customData,
      completed: true,
      language: whole.language,
    })
    if (again.issues.length > 0 && (await mayRevise(scope, tx, before, definition))) throw invalid(again)
    const language = languageFor(definition, [whole.language])
    const outcome = again.issues.length > 0 ? ('in_progress' as const) : again.outcome
    const evaluation = { ...again, outcome }
    const row = await reviseAnswers(scope, tx, before, { definition, evaluation, language })
    return { row, evaluation: again, survey: { definition } }
  }

  const [opening, audience] = await Promise.all([
    readOpening(scope, tx, before.survey_id),
    submission.completed ? readAudience(scope, tx) : NO_AUDIENCE,
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
      ? dedupeKey(scope, survey, evaluation.values, { ticket: null, device: undefined, origin: null })
      : before.dedupe_key
  const { row: settled, places } = settle(
    scope,
    survey,
    evaluation,
    { full, revising: submission.revising ?? false, signs: submission.signs },
    {
      ...before,
      language: submission.language ? languageFor(definition, [submission.language]) : before.language,
      dedupe_key: key,
      agent_id: before.agent_id ?? (await agentIn(scope, tx, definition, evaluation.custom_data)),
      updated_at: scope.clock.now(),
    },
    before,
  )
  const row = before.anonymity ? withoutPerson(settled) : settled
  if (row.completed_at) await tellInvitation(scope, tx, row)
  await saveResponse(scope, tx, row, before, audience)
  takePlaces(tx, before.survey_id, places)
  return { row, evaluation, survey }
}

// An invitation, and a link that we made, are proof enough.
function lacksProof(
  { proof_of_work, single_use_tokens }: SurveyDefinition,
  { isProven }: FirstSubmission,
  invited: Invited | null,
  ticket: string | null,
): boolean {
  const isKnown = invited !== null || (ticket !== null && single_use_tokens !== 'any')
  return proof_of_work === true && isProven === false && !isKnown
}

function ordersIn(definition: SurveyDefinition, id: Id<'response'>): Orders | null {
  const orders = ordersFor(definition, id)
  return Object.keys(orders).length > 0 ? orders : null
}

// A phone number stands beside the whole conversation.
const KNOWN_BY_NUMBER = ['sms', 'voice']

// Fields of the invitation win, unless the survey has lost them since then.
function invitedData(
  { custom_fields }: SurveyDefinition,
  { agent_id, ...given }: Record<string, unknown>,
  { agentId, customData }: Invited,
): Record<string, unknown> {
  const declared = Object.entries(customData).filter(([name]) => custom_fields.includes(name))
  return { ...(agent_id !== undefined && !agentId && { agent_id }), ...given, ...Object.fromEntries(declared) }
}

/** @throws Problem 422 with an issue for each wrong answer. */
export function judge({ definition }: PublishedSurvey, submission: Submission): Evaluation {
  const evaluation = evaluate(definition, {
    answers: submission.answers,
    custom_data: submission.customData,
    completed: submission.completed,
    language: submission.language,
    seen: submission.seen ?? [],
  })
  if (evaluation.issues.length > 0) throw invalid(evaluation)
  return evaluation
}

function invalid({ issues }: Evaluation): Problem {
  return unprocessable(
    'invalid_answers',
    issues,
    'The survey does not accept some answers. `issues` has the reasons. Nothing was stored.',
  )
}
