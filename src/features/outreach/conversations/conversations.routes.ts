import { tenantRoute, type Route } from '../../../http/routes/route.ts'
import { SimulateSurvey, Simulation, Conversation } from './conversations.schema.ts'
import { simulateSurvey } from './simulation.service.ts'
import { readConversation, onRemoved } from './transcript.service.ts'
import type { Feature } from '../../../platform/feature.ts'
import { onNumberRemoved, removeOldConversations } from './endings.service.ts'
import { personal } from './personal.service.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { tendIdle } from './idle.service.ts'

const simulateSurveyRoute = tenantRoute({
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

const readConversationRoute = tenantRoute({
  method: 'get',
  path: '/responses/:rid/conversation',
  operationId: 'readConversation',
  summary: 'Read the conversation by SMS or phone that a response was given in',
  description:
    'It is kept as long as the response, and never has the number of the respondent. The first message of an invitation goes earlier, with the messages of its age.',
  tag: 'Responses',
  params: { rid: 'response' },
  response: { status: 200, schema: Conversation },
  handler: (scope, { params: { rid } }) => readConversation(scope, rid),
})

/** Reminds of unfinished conversations, and ends those that stay silent. */
export const idleConversationsSweep: Sweep = { name: 'conversations.idle', everySeconds: 30, run: tendIdle }

/** Removes conversations after `RETENTION_SENDS_DAYS`, but those of a response stay as long as it. */
export const oldConversationsSweep: Sweep = {
  name: 'conversations.retention',
  everySeconds: 3600,
  run: removeOldConversations,
}

export const conversations = {
  name: 'conversations',
  listeners: [onNumberRemoved, onRemoved],
  routes: [simulateSurveyRoute, readConversationRoute],
  sweeps: [idleConversationsSweep, oldConversationsSweep],
  retention: [{ tables: ['conversations', 'conversation_turns'], sweep: oldConversationsSweep }],
  personal,
} satisfies Feature<Route>
