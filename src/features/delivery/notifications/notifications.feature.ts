import type { Feature } from '../../../platform/feature.ts'
import { createNotificationEngine } from './notification-engine.ts'
import {
  listNotificationsRoute,
  listSubscriptionsRoute,
  subscribeRoute,
  unsubscribeRoute,
  updateSubscriptionRoute,
} from './notifications.routes.ts'
import { oldNotificationsSweep, recoverNotificationsSweep, sendDigestsSweep } from './notifications.sweeps.ts'

export const notifications = {
  name: 'notifications',
  routes: [listNotificationsRoute, listSubscriptionsRoute, subscribeRoute, updateSubscriptionRoute, unsubscribeRoute],
  sweeps: [recoverNotificationsSweep, sendDigestsSweep, oldNotificationsSweep],
  retention: [{ tables: ['notifications'], sweep: oldNotificationsSweep }],
  engines: { notifications: createNotificationEngine },
} satisfies Feature
