import { removeOldRows } from '../../../platform/work/retention.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { tendIdle } from './idle.service.ts'

/** Reminds of unfinished conversations, and ends those that stay silent. */
export const idleConversationsSweep: Sweep = { name: 'conversations.idle', everySeconds: 30, run: tendIdle }

/** Removes conversations after `RETENTION_SENDS_DAYS`. Responses have a retention time of their own. */
export const oldConversationsSweep: Sweep = {
  name: 'conversations.retention',
  everySeconds: 3600,
  async run(system, options) {
    const days = system.settings.retention.sendsDays
    const conversations = await removeOldRows(system, options, { table: 'conversations', agedBy: 'ended_at', days })
    return (
      conversations +
      (await removeOldRows(system, options, { table: 'conversation_turns', agedBy: 'received_at', days }))
    )
  },
}
