import { removeOldRows } from '../../../platform/retention.ts'
import type { Sweep } from '../../../platform/sweeps.ts'
import { sendDueNotifications } from './worker.service.ts'

/** Sends notifications whose wake was lost (docs/specification.md, "Recovery"). */
export const recoverNotificationsSweep: Sweep = {
  name: 'notifications.recover',
  everySeconds: ({ recoverySweepSeconds }) => recoverySweepSeconds,
  run: sendDueNotifications,
}

/** Removes notifications after `RETENTION_MAIL_DAYS`. */
export const oldNotificationsSweep: Sweep = {
  name: 'notifications.retention',
  everySeconds: 3600,
  run: (system, options) =>
    removeOldRows(system, options, {
      table: 'notifications',
      agedBy: 'sent_at',
      days: system.settings.retention.mailDays,
    }),
}
