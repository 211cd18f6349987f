import type { Sweep } from '../../../platform/work/sweeps.ts'
import { removeOldConversations } from './endings.service.ts'
import { tendIdle } from './idle.service.ts'

/** Reminds of unfinished conversations, and ends those that stay silent. */
export const idleConversationsSweep: Sweep = { name: 'conversations.idle', everySeconds: 30, run: tendIdle }

/** Removes conversations after `RETENTION_SENDS_DAYS`, but those of a response stay as long as it. */
export const oldConversationsSweep: Sweep = {
  name: 'conversations.retention',
  everySeconds: 3600,
  run: removeOldConversations,
}
