import { PageQuery, pageRequest } from '../../../http/routes/pagination.ts'
import { tenantRoute } from '../../../http/routes/route.ts'
import {
  CreateSubscription,
  NotificationList,
  NotificationQuery,
  NotificationsRead,
  NotificationSubscription,
  NotificationSubscriptionList,
  ReadNotifications,
  UpdateSubscription,
} from './notifications.schema.ts'
import { listNotifications, readNotifications } from './notifications.service.ts'
import { listSubscriptions, subscribe, unsubscribe, updateSubscription } from './subscriptions.service.ts'

const tag = 'Notifications'
const MEMBERS_ONLY = { 403: '`member_needed`: an API key is not a member. Sign in instead.' }

export const listNotificationsRoute = tenantRoute({
  method: 'get',
  path: '/notifications',
  operationId: 'listNotifications',
  summary: 'List your notifications, newest first, and mark them as read unless you peek',
  tag,
  query: NotificationQuery,
  response: { status: 200, schema: NotificationList },
  problems: MEMBERS_ONLY,
  handler: (scope, { query }) => listNotifications(scope, query, pageRequest(query)),
})

export const readNotificationsRoute = tenantRoute({
  method: 'post',
  path: '/notifications/read',
  operationId: 'readNotifications',
  summary: 'Mark your notifications as read',
  tag,
  body: ReadNotifications,
  idempotent: false,
  audit: { none: 'It changes only what the caller has read.' },
  example: { all: true },
  response: { status: 200, schema: NotificationsRead },
  problems: MEMBERS_ONLY,
  handler: (scope, { body }) => readNotifications(scope, body),
})

export const listSubscriptionsRoute = tenantRoute({
  method: 'get',
  path: '/notification-subscriptions',
  operationId: 'listNotificationSubscriptions',
  summary: 'List your subscriptions',
  tag,
  query: PageQuery,
  response: { status: 200, schema: NotificationSubscriptionList },
  problems: MEMBERS_ONLY,
  handler: (scope, { query }) => listSubscriptions(scope, pageRequest(query)),
})

export const subscribeRoute = tenantRoute({
  method: 'post',
  path: '/notification-subscriptions',
  operationId: 'createNotificationSubscription',
  summary: 'Subscribe to an event',
  tag,
  body: CreateSubscription,
  example: { event: 'response.completed', channel: 'email', survey_ids: [], digest: 'daily' },
  audit: ['notification_subscription.create'],
  response: { status: 201, schema: NotificationSubscription },
  problems: {
    ...MEMBERS_ONLY,
    409: '`too_many_subscriptions`',
    422: 'A survey of `survey_ids` is not in this workspace, or the URL or the filter cannot be used.',
  },
  handler: (scope, { body }) => subscribe(scope, body),
})

export const updateSubscriptionRoute = tenantRoute({
  method: 'patch',
  path: '/notification-subscriptions/:id',
  operationId: 'updateNotificationSubscription',
  summary: 'Enable or disable a subscription',
  tag,
  params: { id: 'notificationSubscription' },
  body: UpdateSubscription,
  example: { enabled: false },
  audit: ['notification_subscription.update'],
  response: { status: 200, schema: NotificationSubscription },
  problems: MEMBERS_ONLY,
  handler: (scope, { params: { id }, body }) => updateSubscription(scope, id, body.enabled),
})

export const unsubscribeRoute = tenantRoute({
  method: 'delete',
  path: '/notification-subscriptions/:id',
  operationId: 'deleteNotificationSubscription',
  summary: 'Remove a subscription',
  tag,
  params: { id: 'notificationSubscription' },
  audit: ['notification_subscription.delete'],
  response: { status: 204 },
  problems: MEMBERS_ONLY,
  handler: async (scope, { params: { id }, c }) => {
    await unsubscribe(scope, id)
    return c.body(null, 204)
  },
})
