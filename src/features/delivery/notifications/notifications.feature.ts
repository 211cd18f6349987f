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
import { oldNotificationsSweep, recoverNotificationsSweep, sendDigestsSweep } from './notifications.sweeps.ts'
import { NOTIFICATIONS } from './staging.service.ts'
import { sendOfTenant } from './worker.service.ts'

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
  engines: { [NOTIFICATIONS]: engine },
} satisfies Feature
