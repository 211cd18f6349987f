import { KIB } from '../../../http/bodies/body.ts'
import { spendBeginning, spendBody } from '../../../http/limits/capture-budget.ts'
import { publicRoute, type Route } from '../../../http/routes/route.ts'
import {
  resolveSurvey,
  resolveToken,
  continueWithBody,
  presentReceipt,
  readPublicSurvey,
  submitBody,
} from './capture.service.ts'
import { ContinueResponse, PublicSurvey, PublicSurveyQuery, Receipt, SubmitResponse } from './capture.schema.ts'
import type { Feature } from '../../../platform/feature.ts'
import type { ShowBadge } from './page/respondent.service.ts'
import { respondentRoutes } from './page/respondent.routes.ts'

const tag = 'Public capture'
const BODY_LIMIT = 256 * KIB
const BUDGET = {
  429:
    'The address began 600 responses of the survey, or sent 16 MiB to surveys, within a minute. The operator may have ' +
    'set another number.',
}
const NOT_OPEN = {
  410: '`survey_not_open`. `reason` is `paused`, `closed`, `archived`, `ended`, `full` or `not_started`.',
}
const INVALID = { 422: 'An answer breaks a rule of the survey. `issues` has a path for each. Nothing was stored.' }

const getPublicSurveyRoute = publicRoute({
  method: 'get',
  path: '/public/surveys/:id',
  operationId: 'getPublicSurvey',
  summary: 'Read the questions and settings that a client needs',
  tag,
  params: { id: 'survey' },
  query: PublicSurveyQuery,
  response: { status: 200, schema: PublicSurvey },
  problems: NOT_OPEN,
  resolve: (system, { id }) => resolveSurvey(system, id),
  handler: (scope, { params: { id }, query }) => readPublicSurvey(scope, id, query.token),
})

const submitResponseRoute = publicRoute({
  method: 'post',
  path: '/public/surveys/:id/responses',
  operationId: 'submitResponse',
  summary: 'Begin or complete a response',
  tag,
  params: { id: 'survey' },
  body: SubmitResponse,
  example: { answers: { q1: 9, q3: 'Quick and friendly.' }, custom_data: { plan: 'pro' } },
  audit: { none: 'Public capture is not audited.' },
  response: { status: 201, schema: Receipt },
  problems: { ...NOT_OPEN, ...INVALID, ...BUDGET, 409: '`already_answered`: this respondent may answer only once.' },
  bodyLimit: BODY_LIMIT,
  resolve: (system, { id }) => resolveSurvey(system, id),
  async admit(system, { params: { id }, c, limiters }) {
    await spendBeginning(system, limiters, id)
    await spendBody(system, limiters, c.req.raw, BODY_LIMIT)
  },
  handler: async (scope, { params: { id }, body }) => presentReceipt(scope, await submitBody(scope, id, body)),
})

const continueResponseRoute = publicRoute({
  method: 'patch',
  path: '/public/responses/:token',
  operationId: 'continueResponse',
  summary: 'Save more answers or complete a response',
  description:
    'You can complete a response twice: the same request gets the same answer. A preview remembers nothing, so send ' +
    'all answers each time.',
  tag,
  params: { token: 'text' },
  body: ContinueResponse,
  example: { answers: { q3: 'Quick and friendly.' }, completed: true },
  audit: { none: 'Public capture is not audited.' },
  response: { status: 200, schema: Receipt },
  problems: {
    ...NOT_OPEN,
    ...INVALID,
    ...BUDGET,
    409:
      '`already_completed`: the answers cannot change any more. `already_answered`: this respondent may answer only ' +
      'once.',
  },
  bodyLimit: BODY_LIMIT,
  resolve: async (system, { token }) => resolveToken(system, token),
  admit: (system, { c, limiters }) => spendBody(system, limiters, c.req.raw, BODY_LIMIT),
  handler: async (scope, { params: { token }, body }) =>
    presentReceipt(scope, await continueWithBody(scope, token, body)),
})

/** @param showBadge finds the badge of an ending. */
export function createCapture(showBadge: ShowBadge): Feature<Route> {
  return {
    name: 'capture',
    routes: [continueResponseRoute, getPublicSurveyRoute, submitResponseRoute, ...respondentRoutes(showBadge)],
  }
}
