import type { Feature } from '../../../platform/feature.ts'
import type { Route } from '../../../http/routes/route.ts'
import { idleConversationsSweep, oldConversationsSweep } from './conversations.sweeps.ts'
import { onNumberRemoved } from './endings.service.ts'
import { personal } from './personal.service.ts'
import { simulateSurveyRoute } from './simulation.routes.ts'
import { readConversationRoute } from './transcript.routes.ts'
import { onRemoved } from './transcript.service.ts'

export const conversations = {
  name: 'conversations',
  listeners: [onNumberRemoved, onRemoved],
  routes: [simulateSurveyRoute, readConversationRoute],
  sweeps: [idleConversationsSweep, oldConversationsSweep],
  retention: [{ tables: ['conversations', 'conversation_turns'], sweep: oldConversationsSweep }],
  personal,
} satisfies Feature<Route>
