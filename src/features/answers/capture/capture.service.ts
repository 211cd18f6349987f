import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { conflict, notFound, unprocessable } from '../../../http/problem.ts'
import type { Shared, TenantTx } from '../../../platform/database.ts'
import { formatId, newId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { CustomData, SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { evaluate, type Evaluation } from '../../../survey-engine/logic/evaluation.ts'
import { matchingQuotas, settledQuotas } from '../../../survey-engine/logic/quotas.ts'
import { scoreOf } from '../../../survey-engine/logic/score.ts'
import { joinAnswers, splitAnswers } from '../../../survey-engine/logic/stored-answers.ts'
import { languageFor } from '../../../survey-engine/model/text.ts'
import { NOBODY, readSubscribers } from '../../delivery/events/subscribers.service.ts'
import { qualityFlags } from '../responses/quality.ts'
import { addResponse, lockResponse, refuseRepeat, saveResponse, type ResponseRow } from '../responses/responses.service.ts'
import {
  fullQuotaOf,
  placesIn,
  readDefinition,
  readOpening,
  readOpenSurvey,
  takePlaces,
  type PublishedSurvey,
  type QuotaPlace,
} from '../../surveys/surveys/published-surveys.service.ts'
import type { PublicSurvey, Receipt } from './capture.schema.ts'
import { dedupeKey } from './dedupe.ts'
import { readInvited, tellInvitation } from './invited.service.ts'
import { sealResponseToken } from './response-token.ts'
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
  /** Of a link or an invitation; anybody can have made it up. */
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

/** @throws Problem 404 for an unknown or draft survey, 410 for one that is not open. */
export async function readPublicSurvey(scope: Scope, id: Id<'survey'>): Promise<z.input<typeof PublicSurvey>> {
  const { version, definition } = await scope.read((tx) => readOpenSurvey(scope, tx, id))
  const { default_language, languages, messages, questions, logic, custom_fields, variables, endings, dedupe } = definition
  return { id: formatId('survey', id), version, default_language, languages, messages, questions, logic, custom_fields, variables, endings, dedupe }
}

/**
 * Begins a response, or takes a whole one. Everything it causes (quotas, the event and its deliveries)
 * is in one transaction with the row.
 * @throws Problem 404 or 410 where the survey takes none, 422 with an issue for each answer that breaks a rule, 409 for a repeat.
 */
export async function submitResponse(scope: Scope, surveyId: Id<'survey'>, submission: FirstSubmission): Promise<Captured> {
  return oncePlaceIsKnown(scope, { locks: undefined }, async (tx, full) => {
    // Asked for together: the respondent waits for each round trip.
    const [survey, subscribers, invited] = await Promise.all([
      readOpenSurvey(scope, tx, surveyId),
      submission.completed ? readSubscribers(scope, tx, 'response.completed') : NOBODY,
      readInvited(scope, tx, surveyId, submission.token),
    ])
    const { definition } = survey
    const evaluation = judge(
      survey,
      invited ? { ...submission, customData: { ...submission.customData, ...declaredOf(definition, invited.customData) } } : submission,
    )
    const ticket = requireTicket(scope, survey, submission, invited)
    const key = dedupeKey(survey, evaluation.values, { ...submission, ticket, origin: scope.origin })
    // Of two that are finished, the second cannot be stored.
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
  })
}

/**
 * Adds answers to a response that was begun, in the version that it was begun in, and completes it when asked.
 * The same completion again changes nothing and answers the same.
 * @param locked the response, where the transaction that this one joins has locked it.
 * @throws Problem 404 when it is gone, 410 when the survey is not open, 409 for a change of a finished response, 422 as in `submitResponse`.
 */
export async function continueResponse(scope: Scope, id: Id<'response'>, submission: Submission, locked?: ResponseRow): Promise<Captured> {
  return oncePlaceIsKnown(scope, { locks: id }, async (tx, full) => {
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
      const again = evaluate(definition, { answers: whole.answers, custom_data: whole.customData, completed: true, language: whole.language })
      const same = again.issues.length === 0 && isDeepStrictEqual(again.values, values) && isDeepStrictEqual(again.custom_data, before.custom_data)
      if (!same) throw conflict('already_completed', 'This response is complete; its answers do not change any more.')
      return { row: before, evaluation: again, survey: { definition } }
    }

    const [opening, subscribers] = await Promise.all([
      readOpening(scope, tx, before.survey_id),
      submission.completed ? readSubscribers(scope, tx, 'response.completed') : NOBODY,
    ])
    const survey = { id: before.survey_id, version: before.survey_version, definition, responseLimit: opening.response_limit, counts: opening.counts }
    const evaluation = judge(survey, whole)
    const key = definition.dedupe === 'contact' ? dedupeKey(survey, evaluation.values, { ticket: null, device: undefined, origin: null }) : before.dedupe_key
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
  })
}

export function presentReceipt(scope: Scope, { row }: Captured): z.input<typeof Receipt> {
  if (row.state === 'deleted') throw notFound('response')
  return {
    id: formatId('response', row.id),
    token: sealResponseToken(scope.secrets, { tenantId: scope.tenantId, responseId: row.id }),
    state: row.state,
  }
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
    throw unprocessable('invalid_answers', evaluation.issues, 'Some answers are not possible; `issues` says which. Nothing was stored.')
  return evaluation
}

/** One transaction; when a quota turns out to be full at its end, another one that knows so. */
async function oncePlaceIsKnown(scope: Scope, shared: Shared, work: (tx: TenantTx, full: string | null) => Promise<Captured>): Promise<Captured> {
  for (let full: string | null = null; ;) {
    const known = full
    try {
      return await scope.tx((tx) => work(tx, known), shared)
    } catch (error) {
      full = fullQuotaOf(error)
      if (full === null) throw error
    }
  }
}

/** The row after an evaluation: what was said, and the state that follows from it. `before` is the row as it was stored, if it was. */
function settle(
  scope: Scope,
  survey: PublishedSurvey,
  evaluation: Evaluation,
  { full, revising }: { full: string | null; revising: boolean },
  row: ResponseRow,
  before?: ResponseRow,
): { row: ResponseRow; places: QuotaPlace[] } {
  const { definition } = survey
  const { values, custom_data, variables, outcome } = evaluation
  const said = { ...row, ...splitAnswers(definition, values), custom_data, path: metPath(evaluation) }
  const held = before?.state === 'quarantined'
  const finished = () => finish(scope, definition, said, values, before)

  if (outcome === 'in_progress') {
    // Nobody is asked for the rest of their answers once a quota that they belong to is full.
    const settled = revising ? [] : settledQuotas(definition, evaluation)
    if (!held && placesIn(survey, settled, null) === null) return { row: { ...finished(), state: 'over_quota' }, places: [] }
    const state = Object.keys(values).length > 0 ? ('partial' as const) : ('started' as const)
    return { row: held ? { ...said, held_state: state } : { ...said, state }, places: [] }
  }
  const matching = outcome === 'completed' ? matchingQuotas(definition, values, custom_data, variables) : []
  // Held by the team: it counts in no quota until it is released.
  if (held) return { row: { ...finished(), held_state: outcome, quotas: matching }, places: [] }
  if (outcome === 'screened_out') return { row: { ...finished(), state: 'screened_out' }, places: [] }
  const places = placesIn(survey, matching, full)
  return places ? { row: { ...finished(), state: 'completed', quotas: matching }, places } : { row: { ...finished(), state: 'over_quota' }, places: [] }
}

function finish(scope: Scope, definition: SurveyDefinition, row: ResponseRow, values: Evaluation['values'], before?: ResponseRow): ResponseRow {
  const now = scope.clock.now()
  const measured = before !== undefined || row.started_at < now
  const duration_ms = measured ? Math.max(0, now.getTime() - row.started_at.getTime()) : null
  const score = scoreOf(definition, values)
  return {
    ...row,
    completed_at: now,
    duration_ms,
    metric: score?.metric ?? null,
    score: score?.value ?? null,
    band: score?.band ?? null,
    quality_flags: qualityFlags(definition, values, duration_ms),
  }
}

// Of an unfinished response the last question is the one still to be put: where it stops, if it stops.
function metPath({ path, next, outcome }: Evaluation): string[] {
  if (outcome !== 'in_progress' || next === null) return path
  return path.slice(0, path.indexOf(next) + 1)
}
