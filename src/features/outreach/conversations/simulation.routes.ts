import { tenantRoute } from '../../../http/routes/route.ts'
import { SimulateSurvey, Simulation } from './simulation.schema.ts'
import { simulateSurvey } from './simulation.service.ts'

export const simulateSurveyRoute = tenantRoute({
  method: 'post',
  path: '/surveys/:id/simulate',
  operationId: 'simulateSurvey',
  summary: 'Simulate a conversation, turn by turn',
  description:
    'Runs the draft through the engine of real conversations. Nothing is stored or sent, so every member may call it.',
  tag: 'Surveys',
  params: { id: 'survey' },
  body: SimulateSurvey,
  optionalBody: true,
  idempotent: false,
  example: { channel: 'sms', turns: ['9', 'skip'], language: 'en' },
  audit: { none: 'It only reads.' },
  response: { status: 200, schema: Simulation },
  problems: { 422: 'The draft has no questions, or the survey does not declare a field of `custom_data`.' },
  handler: (scope, { params, body }) => simulateSurvey(scope, params.id, body),
})
