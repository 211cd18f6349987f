import { tenantRoute } from '../../../http/route.ts'
import { SimulateSurvey, Simulation } from './simulation.schema.ts'
import { simulateSurvey } from './simulation.service.ts'

export const simulateSurveyRoute = tenantRoute({
  method: 'post',
  path: '/surveys/:id/simulate',
  operationId: 'simulateSurvey',
  summary: 'What a conversation would say, turn by turn',
  description:
    'Runs the draft through the engine of the real conversations. Nothing is stored or sent, so any member may.',
  tag: 'Surveys',
  params: { id: 'survey' },
  body: SimulateSurvey,
  optionalBody: true,
  idempotent: false,
  example: { channel: 'sms', turns: ['9', 'skip'], language: 'en' },
  response: { status: 200, schema: Simulation },
  problems: { 422: 'The draft asks nothing, or `custom_data` has a field that the survey does not declare.' },
  handler: (scope, { params, body }) => simulateSurvey(scope, params.id, body),
})
