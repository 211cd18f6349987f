import type { z } from 'zod'
import { notFound } from '../../../http/problem.ts'
import { formatId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { readOpenSurvey } from '../../surveys/surveys/published-surveys.service.ts'
import { untilItCommits } from './attempts.service.ts'
import type { PublicSurvey, Receipt } from './capture.schema.ts'
import { sealResponseToken } from './response-token.ts'
import { addAnswers, beginResponse, type Captured, type FirstSubmission, type Submission } from './submissions.service.ts'

/** @throws Problem 404 for an unknown or draft survey, 410 for one that is not open. */
export async function readPublicSurvey(scope: Scope, id: Id<'survey'>): Promise<z.input<typeof PublicSurvey>> {
  const { version, definition } = await scope.read((tx) => readOpenSurvey(scope, tx, id))
  const { default_language, languages, messages, questions, logic, custom_fields, variables, endings, dedupe } = definition
  return { id: formatId('survey', id), version, default_language, languages, messages, questions, logic, custom_fields, variables, endings, dedupe }
}

/** `beginResponse` in a transaction of its own. */
export function submitResponse(scope: Scope, surveyId: Id<'survey'>, submission: FirstSubmission): Promise<Captured> {
  return untilItCommits(scope, { locks: undefined }, (attempt) => beginResponse(scope, attempt, surveyId, submission))
}

/** `addAnswers` in a transaction of its own. */
export function continueResponse(scope: Scope, id: Id<'response'>, submission: Submission): Promise<Captured> {
  return untilItCommits(scope, { locks: id }, (attempt) => addAnswers(scope, attempt, id, submission))
}

export function presentReceipt(scope: Scope, { row }: Captured): z.input<typeof Receipt> {
  if (row.state === 'deleted') throw notFound('response')
  return {
    id: formatId('response', row.id),
    token: sealResponseToken(scope.secrets, { tenantId: scope.tenantId, responseId: row.id }),
    state: row.state,
  }
}
