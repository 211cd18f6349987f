import type { z } from 'zod'
import { notFound, Problem } from '../../../http/problems/problem.ts'
import { formatId, type Id, type TenantId } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { openPreviewToken } from '../../surveys/survey-links/preview-token.ts'
import { readOpenSurvey } from '../../surveys/surveys/published-surveys.service.ts'
import { untilItCommits } from './submission/attempts.service.ts'
import {
  findByStartToken,
  isProven,
  openStartToken,
  signsOf,
  type StartToken,
} from './submission/start-tokens.service.ts'
import type { ContinueResponse, PublicSurvey, Receipt, SubmitResponse } from './capture.schema.ts'
import { answerInvitation } from './submission/invited-answers.service.ts'
import { isInvitation } from './submission/invited.service.ts'
import { previewAnswers, readPreview, tenantOfPreview } from './submission/preview.service.ts'
import { openResponseToken, sealResponseToken } from './submission/response-token.ts'
import {
  addAnswers,
  beginResponse,
  type Captured,
  type FirstSubmission,
  type Submission,
} from './submission/submissions.service.ts'
import { cacheOf } from '../../../platform/config/caches.ts'
import { findTenant } from '../../../platform/database/directory.ts'

/** @throws Problem 404 for an unknown or draft survey, 410 for one that is not open. */
export async function readPublicSurvey(
  scope: Scope,
  id: Id<'survey'>,
  token: string | undefined,
): Promise<z.input<typeof PublicSurvey>> {
  const preview = await readPreview(scope, id, token)
  const { version, definition } = preview?.survey ?? (await scope.read((tx) => readOpenSurvey(scope, tx, id)))
  const { default_language, languages, messages, questions, logic, custom_fields, variables, endings, dedupe } =
    definition
  return {
    id: formatId('survey', id),
    version,
    default_language,
    languages,
    messages,
    questions,
    logic,
    custom_fields,
    variables,
    endings,
    dedupe,
  }
}

/** `beginResponse` in a transaction of its own. With the token of a preview link it stores nothing. */
export async function submitResponse(
  scope: Scope,
  surveyId: Id<'survey'>,
  submission: FirstSubmission,
): Promise<Captured> {
  const preview = await readPreview(scope, surveyId, submission.token)
  if (preview) return previewAnswers(scope, preview, submission)
  const { token } = submission
  if (isInvitation(scope, token)) return answerInvitation(scope, surveyId, { ...submission, token })
  return untilItCommits(scope, { locks: undefined }, (attempt) => beginResponse(scope, attempt, surveyId, submission))
}

/**
 * Continues the response, or tries the answers, that a token stands for. A preview remembers nothing, so each call
 * sends all answers.
 * @throws Problem 404 for an unknown token.
 */
export async function continueByToken(scope: Scope, token: string, submission: Submission): Promise<Captured> {
  const previewed = openPreviewToken(scope.secrets, token)
  const preview = previewed && (await readPreview(scope, previewed.surveyId, token))
  if (preview) return previewAnswers(scope, preview, submission)
  const ticket = openResponseToken(scope.secrets, token)
  if (!ticket) throw notFound('response')
  return continueResponse(scope, ticket.responseId, submission)
}

/** `addAnswers` in a transaction of its own. */
export function continueResponse(scope: Scope, id: Id<'response'>, submission: Submission): Promise<Captured> {
  return untilItCommits(scope, { locks: id }, (attempt) => addAnswers(scope, attempt, id, submission))
}

/** Takes a body of the public API. With `page.begun`, a repetition continues the response that the first one began. */
export async function submitBody(
  scope: Scope,
  surveyId: Id<'survey'>,
  { custom_data, page, seen = [], ...body }: z.output<typeof SubmitResponse>,
): Promise<Captured> {
  const { language, token, device } = body
  const begun = openStartToken(scope, surveyId, page?.begun)
  return submitOnce(scope, surveyId, begun, {
    ...body,
    customData: custom_data,
    language,
    token,
    device,
    seen,
    signs: page && signsOf(begun, page.begun, page.website),
    isProven: isProven(begun, page?.begun, page?.proof),
  })
}

/** `continueByToken` with a body of the public API. */
export function continueWithBody(
  scope: Scope,
  token: string,
  { custom_data, page, seen = [], language, ...body }: z.output<typeof ContinueResponse>,
): Promise<Captured> {
  return continueByToken(scope, token, {
    ...body,
    customData: custom_data,
    language,
    seen,
    signs: page && signsOf(null, undefined, page.website),
  })
}

/** Begins the response that a page has prepared. If a repeated request has begun it already, continues that one. */
export async function submitOnce(
  scope: Scope,
  surveyId: Id<'survey'>,
  begun: StartToken | null,
  submission: FirstSubmission,
): Promise<Captured> {
  try {
    return await submitResponse(scope, surveyId, { ...submission, ...begun, wasShuffled: begun !== null })
  } catch (error) {
    const known = begun && error instanceof Problem ? await findByStartToken(scope, begun) : undefined
    if (known) return continueResponse(scope, known.id, { ...submission, customData: {} })
    throw error
  }
}

export function presentReceipt(scope: Scope, { row, preview }: Captured): z.input<typeof Receipt> {
  if (row.state === 'deleted') throw notFound('response')
  return {
    id: formatId('response', row.id),
    token: preview ?? sealResponseToken(scope.secrets, { tenantId: scope.tenantId, responseId: row.id }),
    state: row.state,
    ...(preview !== undefined && { preview: true as const }),
  }
}

// A survey never changes its tenant, so a cached answer stays right. A deleted survey is then not found in its tenant.
const OWNERS = cacheOf<Id<'survey'>, TenantId>({ max: 50_000 })

export async function resolveSurvey(system: SystemScope, id: Id<'survey'>): Promise<TenantId | null> {
  const known = system.caches.of(OWNERS)
  const found = known.get(id) ?? (await system.tx((tx) => findTenant(tx, 'survey', id)))
  if (found) known.set(id, found)
  return found
}

export function resolveToken(system: SystemScope, token: string): TenantId | null {
  return openResponseToken(system.secrets, token)?.tenantId ?? tenantOfPreview(system.secrets, token)
}
