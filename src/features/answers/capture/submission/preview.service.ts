import { Problem, unprocessable } from '../../../../http/problems/problem.ts'
import { newId, type Id, type TenantId } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { SecretBox } from '../../../../platform/config/secrets.ts'
import type { AnswerValues, CustomData } from '../../../../survey-engine/model/definition.ts'
import { languageFor } from '../../../../survey-engine/language/nearest.ts'
import { isPreviewToken, openPreviewToken, type PreviewToken } from '../../../surveys/survey-links/preview-token.ts'
import { readDraftAsPublished, type PublishedSurvey } from '../../../surveys/surveys/published-surveys.service.ts'
import type { ResponseRow } from '../../rows/response.entity.ts'
import { blankResponse } from '../../rows/response-row.ts'
import { settle } from './settlement.service.ts'
import { judge, type Captured, type Submission } from './submissions.service.ts'

/** A draft that somebody tries. */
export interface Preview {
  survey: PublishedSurvey
  token: string
  /** A look to try. */
  branding?: PreviewToken['branding']
}

/**
 * The draft that a preview link opens. Null for any other token.
 * @throws Problem 422 `link_unknown` for a token of another survey, 410 `link_expired`, 404 for a deleted survey.
 */
export async function readPreview(
  scope: Scope,
  surveyId: Id<'survey'>,
  token: string | undefined,
): Promise<Preview | null> {
  if (!isPreviewToken(token)) return null
  const opened = openPreviewToken(scope.secrets, token)
  if (opened?.tenantId !== scope.tenantId || opened.surveyId !== surveyId)
    throw unprocessable('link_unknown', [
      { path: 'token', message: 'Earshot did not make this preview link for this survey. Make a new one.' },
    ])
  if (scope.clock.now() >= opened.expiresAt)
    throw new Problem(410, 'link_expired', { detail: 'This preview link has expired. Nothing was stored.' })
  const survey = await scope.read((tx) => readDraftAsPublished(tx, surveyId))
  return { survey, token, ...(opened.branding && { branding: opened.branding }) }
}

export function tenantOfPreview(secrets: SecretBox, token: string): TenantId | null {
  return openPreviewToken(secrets, token)?.tenantId ?? null
}

export function previewAnswers(
  scope: Scope,
  { survey, token }: Preview,
  submission: Submission & { channel?: string },
): Captured {
  return { ...tryAnswers(scope, survey, submission, { values: {}, customData: {} }), preview: token }
}

/** Checks these answers as capture would. Nothing is stored and nobody is told. @throws Problem 422. */
export function tryAnswers(
  scope: Scope,
  survey: PublishedSurvey,
  submission: Submission & { channel?: string },
  known: { values: AnswerValues; customData: CustomData; row?: ResponseRow | null },
): Captured {
  const { definition } = survey
  const evaluation = judge(survey, {
    ...submission,
    answers: { ...known.values, ...submission.answers },
    customData: { ...known.customData, ...submission.customData },
  })
  const blank = blankResponse(scope.clock.now(), {
    id: known.row?.id ?? newId('response'),
    survey_id: survey.id,
    survey_version: survey.version,
    channel: submission.channel ?? 'web',
    language: languageFor(definition, [submission.language]),
  })
  const { row } = settle(scope, survey, evaluation, { full: null, revising: submission.revising ?? false }, blank)
  return { row, evaluation, survey }
}
