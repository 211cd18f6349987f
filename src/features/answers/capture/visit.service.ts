import { notFound } from '../../../http/problem.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { runInSlices } from '../../../platform/turns.ts'
import { readCustomData } from '../../../survey-engine/logic/custom-data.ts'
import type { AnswerValues, CustomData, SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import type { Evaluation } from '../../../survey-engine/logic/evaluation.ts'
import { settledQuotas } from '../../../survey-engine/logic/quotas.ts'
import { joinAnswers } from '../../../survey-engine/logic/stored-answers.ts'
import { languageFor } from '../../../survey-engine/model/text.ts'
import { findResponse, refuseRepeat, type ResponseRow } from '../responses/responses.service.ts'
import {
  readDefinition,
  readOpenSurvey,
  refuseFull,
  type PublishedSurvey,
} from '../../surveys/surveys/published-surveys.service.ts'
import { readWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { findBegun, openBegun, type Begun } from './begun.service.ts'
import { dedupeKey } from './dedupe.ts'
import { readInvited, type Invited } from './invited.service.ts'
import { field, type Fields } from '../../../survey-engine/forms/fields.ts'
import { readPiped } from './respondent-form.ts'
import type { Brand } from './respondent-view.ts'
import { openResponseToken } from './response-token.ts'
import { requireTicket } from './tickets.service.ts'

/** A visitor, their survey, and their answers so far. */
export interface Visit {
  surveyId: Id<'survey'>
  brand: Brand
  definition: SurveyDefinition
  language: string
  values: AnswerValues
  customData: CustomData
  /** The begun response, if any. */
  row: ResponseRow | null
  begun: Begun | null
  /** The survey for a new response. Null once there is a response. */
  open: Open | null
}

interface Open {
  survey: PublishedSurvey
  invited: Invited | null
}

/** @throws the Problems of `readOpenSurvey`, and 404 for a response of another survey. */
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
    const [invited, { name, branding, embed_origins }] = await Promise.all([
      row ? null : readInvited(scope, tx, surveyId, field(form, '_token')),
      readWorkspace(tx),
    ])
    const brand = { name, logoUrl: branding.logo_url, color: branding.color, embedOrigins: embed_origins }
    if (row?.completed_at)
      return { definition: await readDefinition(scope, tx, surveyId, row.survey_version), open: null, brand }
    const survey = await readOpenSurvey(scope, tx, surveyId)
    if (row) return { definition: await readDefinition(scope, tx, surveyId, row.survey_version), open: null, brand }
    return { definition: survey.definition, open: { survey, invited }, brand }
  })
  await runInSlices(readPiped(definition))
  const handed = {
    ...Object.fromEntries(definition.custom_fields.map((name) => [name, custom(name) ?? null])),
    ...open?.invited?.customData,
  }
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

/** The begun response that this page belongs to. */
async function readRow(
  scope: Scope,
  surveyId: Id<'survey'>,
  token: string | undefined,
  begun: Begun | null,
): Promise<ResponseRow | null> {
  if (!token) return (begun && (await findBegun(scope, begun))) ?? null
  const ticket = openResponseToken(scope.secrets, token)
  const row = ticket?.tenantId === scope.tenantId ? await findResponse(scope, ticket.responseId) : undefined
  if (!row || row.survey_id !== surveyId || row.state === 'deleted') throw notFound('response')
  return row
}

/**
 * Refuses a visitor before they fill in the survey.
 * @throws Problem 422 for a missing or unknown link, 410 for an expired one or a full quota, 409 for a used one.
 */
export async function refuseAtOnce(
  scope: Scope,
  { survey, invited }: Open,
  evaluation: Evaluation,
  form: Fields,
): Promise<void> {
  const ticket = requireTicket(scope, survey, { token: field(form, '_token') }, invited)
  refuseFull(survey, settledQuotas(survey.definition, evaluation))
  const key = dedupeKey(survey, {}, { ticket, device: field(form, '_device'), origin: scope.origin })
  if (key !== null) await scope.read((tx) => refuseRepeat(tx, survey.id, key))
}

/** The requested language, or the best match of `Accept-Language`, among the survey's languages. */
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
