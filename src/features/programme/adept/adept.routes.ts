import { tenantRoute, type Route } from '../../../http/routes/route.ts'
import { AdeptAnswer, AdeptSummary, AskAdept, DraftSurvey, SummarizeAdept, SurveyDraft } from './adept.schema.ts'
import { askAdept, draftSurvey, summarizeAdept, type Texts } from './adept.service.ts'
import type { Feature } from '../../../platform/feature.ts'

const tag = 'Adept'
const permission = 'adept.use'
const audit = { none: 'It only reads.' }

function createAskRoute(texts: Texts) {
  return tenantRoute({
    method: 'post',
    path: '/adept/ask',
    operationId: 'askAdept',
    summary: 'Ask a question about the feedback',
    description:
      'Every number comes from a query, and every quote is a part of a text that the caller may read. If the ' +
      'model is slow, down or wrong, the offline engine answers within 20 seconds. `engine` says who answered.',
    tag,
    permission,
    idempotent: false,
    body: AskAdept,
    example: { question: 'What do people complain about?' },
    audit,
    response: { status: 200, schema: AdeptAnswer },
    problems: { 422: '`unknown_survey`.' },
    handler: (scope, { body }) => askAdept(scope, texts, body),
  })
}

export const draftSurveyRoute = tenantRoute({
  method: 'post',
  path: '/adept/draft-survey',
  operationId: 'draftSurvey',
  summary: 'Draft a survey for a goal',
  description: 'The answer is a body for `POST /v1/surveys`. The header `Adept-Engine` is `model` or `offline`.',
  tag,
  permission,
  idempotent: false,
  body: DraftSurvey,
  example: { goal: 'Find out how customers like the delivery', languages: ['en', 'de'] },
  audit,
  response: { status: 200, schema: SurveyDraft },
  async handler(scope, { body, c }) {
    const { definition, engine } = await draftSurvey(scope, body)
    return c.json(definition, 200, { 'adept-engine': engine })
  },
})

function createSummarizeRoute(texts: Texts) {
  return tenantRoute({
    method: 'post',
    path: '/adept/summarize',
    operationId: 'summarizeAdept',
    summary: 'Summarize what respondents wrote',
    description: 'Reads the texts of the last year. The rules of `POST /v1/adept/ask` apply.',
    tag,
    permission,
    idempotent: false,
    body: SummarizeAdept,
    example: { filter: { all: [{ field: 'score', op: 'lte', value: 6 }] } },
    audit,
    response: { status: 200, schema: AdeptSummary },
    problems: { 422: '`unknown_survey`.' },
    handler: (scope, { body }) => summarizeAdept(scope, texts, body),
  })
}

/**
 * Questions about the feedback. Delete this folder and its line in features.ts, and nothing else changes.
 * @param texts what respondents wrote.
 */
export function createAdept(texts: Texts): Feature<Route> {
  return { name: 'adept', routes: [createAskRoute(texts), draftSurveyRoute, createSummarizeRoute(texts)] }
}
