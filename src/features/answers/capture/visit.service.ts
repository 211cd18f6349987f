import { notFound } from '../../../http/problem.ts'
import { isUuid, newId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { runInSlices } from '../../../platform/turns.ts'
import { readCustomData } from '../../../survey-engine/logic/custom-data.ts'
import type { AnswerValues, CustomData, SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import type { Evaluation } from '../../../survey-engine/logic/evaluation.ts'
import { settledQuotas } from '../../../survey-engine/logic/quotas.ts'
import { joinAnswers } from '../../../survey-engine/logic/stored-answers.ts'
import { languageFor } from '../../../survey-engine/model/text.ts'
import { findResponse, refuseRepeat, type ResponseRow } from '../responses/responses.service.ts'
import { readDefinition, readOpenSurvey, refuseFull, type PublishedSurvey } from '../../surveys/surveys/published-surveys.service.ts'
import { readWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { dedupeKey } from './dedupe.ts'
import { readInvited, type Invited } from './invited.service.ts'
import { field, readPiped, type Fields } from './respondent-form.ts'
import type { Brand } from './respondent-view.ts'
import { openResponseToken } from './response-token.ts'
import { requireTicket } from './tickets.service.ts'

/** A visitor, the survey that they opened, and the answers that they gave so far. */
export interface Visit {
  surveyId: Id<'survey'>
  brand: Brand
  definition: SurveyDefinition
  language: string
  values: AnswerValues
  customData: CustomData
  /** The response that was begun, if it was. */
  row: ResponseRow | null
  begun: Begun | null
  /** The survey that a new response would go to; null once there is a response. */
  open: Open | null
}

interface Open {
  survey: PublishedSurvey
  invited: Invited | null
}

/** The id that the response of a first page will have, and when that page was shown. */
interface Begun {
  id: Id<'response'>
  startedAt: Date
}

const BEGUN = 'respondent-page'

/** @throws the Problems of `readOpenSurvey`, and 404 for a response that is not of this survey. */
export async function readVisit(
  scope: Scope,
  surveyId: Id<'survey'>,
  form: Fields,
  acceptLanguage: string,
  custom: (name: string) => string | undefined,
): Promise<Visit> {
  const begun = openBegun(scope, surveyId, field(form, '_begun'))
  const row = await readRow(scope, surveyId, field(form, '_response'), begun)
  const { definition, open, brand } = await scope.read(async (tx) => {
    const [invited, { name, branding }] = await Promise.all([row ? null : readInvited(scope, tx, surveyId, field(form, '_token')), readWorkspace(tx)])
    const brand = { name, logoUrl: branding.logo_url, color: branding.color }
    if (row?.completed_at) return { definition: await readDefinition(scope, tx, surveyId, row.survey_version), open: null, brand }
    const survey = await readOpenSurvey(scope, tx, surveyId)
    if (row) return { definition: await readDefinition(scope, tx, surveyId, row.survey_version), open: null, brand }
    return { definition: survey.definition, open: { survey, invited }, brand }
  })
  await runInSlices(readPiped(definition))
  const handed = { ...Object.fromEntries(definition.custom_fields.map((name) => [name, custom(name) ?? null])), ...open?.invited?.customData }
  return {
    surveyId,
    brand,
    definition,
    language: pickLanguage(definition, field(form, '_switch') ?? field(form, '_lang') ?? row?.language, acceptLanguage),
    values: row ? joinAnswers(definition, row.answers, row.text) : {},
    customData: row ? row.custom_data : readCustomData(definition, handed).values,
    row,
    begun,
    open,
  }
}

/** The response that this page belongs to, if it was begun. */
async function readRow(scope: Scope, surveyId: Id<'survey'>, token: string | undefined, begun: Begun | null): Promise<ResponseRow | null> {
  if (!token) return (begun && (await findResponse(scope, begun.id))) ?? null
  const ticket = openResponseToken(scope.secrets, token)
  const row = ticket?.tenantId === scope.tenantId ? await findResponse(scope, ticket.responseId) : undefined
  if (!row || row.survey_id !== surveyId || row.state === 'deleted') throw notFound('response')
  return row
}

/**
 * Tells a visitor at the door what would otherwise be said after Send.
 * @throws Problem 422 for a link that is missing or not ours, 410 for one that has expired or a full quota, 409 for one that was used.
 */
export async function refuseAtOnce(scope: Scope, { survey, invited }: Open, evaluation: Evaluation, form: Fields): Promise<void> {
  const ticket = requireTicket(scope, survey, { token: field(form, '_token') }, invited)
  refuseFull(survey, settledQuotas(survey.definition, evaluation))
  const key = dedupeKey(survey, {}, { ticket, device: field(form, '_device'), origin: scope.origin })
  if (key !== null) await scope.read((tx) => refuseRepeat(tx, survey.id, key))
}

/** A hidden field of the first page: the id that the response will have, and when the page was shown. */
export function sealBegun(scope: Scope, surveyId: Id<'survey'>): string {
  return scope.secrets.seal([surveyId, newId('response'), scope.clock.now().getTime()].join(' '), BEGUN)
}

// Sealed, so that a respondent can neither choose an id nor look slower or faster than they were.
function openBegun(scope: Scope, surveyId: Id<'survey'>, sealed: string | undefined): Begun | null {
  if (!sealed) return null
  try {
    const [survey, id = '', at] = scope.secrets.open(sealed, BEGUN).split(' ')
    return survey === surveyId && isUuid(id) ? { id: id as Id<'response'>, startedAt: new Date(Number(at)) } : null
  } catch {
    return null
  }
}

/** The language asked for, else the best one of `Accept-Language`, among those that the survey has. */
export function pickLanguage(definition: SurveyDefinition, asked: string | undefined, acceptLanguage: string): string {
  const accepted = acceptLanguage
    .slice(0, 1_000)
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*q=/))
    .map(([tag = '', weight = '1']) => ({ tag, weight: Number(weight) || 0 }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
  return languageFor(definition, [asked, ...accepted.map(({ tag }) => tag)])
}
