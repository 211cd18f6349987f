import type { Feature } from '../../../platform/feature.ts'
import type { Route } from '../../../http/routes/route.ts'
import { onNumberRemoved, removeOldConversations } from './endings.service.ts'
import { personal } from './personal.service.ts'
import { simulateSurveyRoute, readConversationRoute } from './conversations.routes.ts'
import { onRemoved } from './transcript.service.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { tendIdle } from './idle.service.ts'

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
