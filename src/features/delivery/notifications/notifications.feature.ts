import type { Feature } from '../../../platform/feature.ts'
import { tenantEngine } from '../../../platform/work/tenant-engine.ts'
import {
  listNotificationsRoute,
  listSubscriptionsRoute,
  readNotificationsRoute,
  subscribeRoute,
  unsubscribeRoute,
  updateSubscriptionRoute,
} from './notifications.routes.ts'
import { listChatReceivers } from './chats.service.ts'
import { NOTIFICATIONS, onOpened, onStaged } from './staging.service.ts'
import { listBacklog } from './notifications.store.ts'
import { sendOfTenant, sendDueNotifications } from './worker.service.ts'
import { dueBy, hasDue } from '../../../platform/work/due-tenants.ts'
import { removeOldRows } from '../../../platform/work/retention.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { sendDueDigests } from './digests.service.ts'

/** Sends notifications whose wake was lost (docs/specification.md, "Recovery"), and those that are tried again. */
export const recoverNotificationsSweep: Sweep = {
  name: 'notifications.recover',
  everySeconds: ({ recoverySweepSeconds }) => recoverySweepSeconds,
  isDue: (tx, now, among) => hasDue(tx, among, dueBy('notifications', 'next_attempt_at', now)),
  run: sendDueNotifications,
}

/** Sends daily and weekly digests. */
export const sendDigestsSweep: Sweep = {
  name: 'notifications.digests',
  everySeconds: 300,
  isDue: (tx, now, among) => hasDue(tx, among, dueBy('notification_subscriptions', 'next_digest_at', now)),
  run: sendDueDigests,
}

/** Removes notifications after `RETENTION_MAIL_DAYS`. */
const oldNotificationsSweep: Sweep = {
  name: 'notifications.retention',
  everySeconds: 3600,
  run: (system, options) =>
    removeOldRows(system, options, {
      table: 'notifications',
      agedBy: 'sent_at',
      days: system.settings.retention.mailDays,
    }),
}

const engine = tenantEngine({
  work: sendOfTenant,
  failed: 'notifications were not sent: the recovery sweep tries again',
})

export const notifications = {
  name: 'notifications',
  routes: [
    listNotificationsRoute,
    readNotificationsRoute,
    listSubscriptionsRoute,
    subscribeRoute,
    updateSubscriptionRoute,
    unsubscribeRoute,
  ],
  sweeps: [recoverNotificationsSweep, sendDigestsSweep, oldNotificationsSweep],
  retention: [{ tables: ['notifications'], sweep: oldNotificationsSweep }],
  parts: { queues: { notifications: listBacklog }, copies: { chats: listChatReceivers } },
  listeners: [onOpened, ...onStaged],
  engines: { [NOTIFICATIONS]: engine },
} satisfies Feature
