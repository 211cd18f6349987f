import { tenantRoute } from '../../../../http/routes/route.ts'
import { Delivery } from '../log/deliveries.schema.ts'
import { spend } from '../../../../http/limits/rate-limit.ts'
import { startResend } from './bulk-resends.service.ts'
import { Queued, ReplayMany, ResendMany, SendTest } from './replays.schema.ts'
import { replayDelivery, startReplay } from './replays.service.ts'
import { resendDelivery, retryDelivery, sendTest } from './resends.service.ts'

const tag = 'Webhook deliveries'
const permission = 'integrations.manage'

export const replayDeliveryRoute = tenantRoute({
  method: 'post',
  path: '/webhook-deliveries/:id/replay',
  operationId: 'replayWebhookDelivery',
  summary: 'Send a dead-lettered delivery again',
  tag,
  permission,
  params: { id: 'delivery' },
  audit: ['delivery.replay'],
  response: { status: 200, schema: Delivery },
  problems: { 409: '`not_dead_lettered` or `webhook_deleted`.' },
  handler: (scope, { params }) => replayDelivery(scope, params.id),
})

export const retryDeliveryRoute = tenantRoute({
  method: 'post',
  path: '/webhook-deliveries/:id/retry',
  operationId: 'retryWebhookDelivery',
  summary: 'Make the next attempt of a failed delivery now',
  tag,
  permission,
  params: { id: 'delivery' },
  audit: ['delivery.retry'],
  response: { status: 200, schema: Delivery },
  problems: { 409: '`not_waiting`: no attempt is planned, or one is under way.' },
  handler: (scope, { params }) => retryDelivery(scope, params.id),
})

export const resendDeliveryRoute = tenantRoute({
  method: 'post',
  path: '/webhook-deliveries/:id/resend',
  operationId: 'resendWebhookDelivery',
  summary: 'Send a delivered event once more',
  description: 'Makes a new delivery of the same event, with the same `id` in its body.',
  tag,
  permission,
  params: { id: 'delivery' },
  audit: ['delivery.resend'],
  response: { status: 201, schema: Delivery },
  problems: { 409: '`not_delivered`, `event_gone` or `webhook_deleted`.' },
  handler: (scope, { params }) => resendDelivery(scope, params.id),
})

export const sendTestRoute = tenantRoute({
  method: 'post',
  path: '/webhooks/:id/test',
  operationId: 'sendWebhookTest',
  summary: 'Send the example of an event, signed, to a webhook',
  description:
    'The delivery has `test: true`. It is signed, logged and retried like any other. A workspace can make 10 calls a ' +
    'minute.',
  tag: 'Webhooks',
  permission,
  params: { id: 'webhook' },
  body: SendTest,
  optionalBody: true,
  example: { event: 'response.completed' },
  audit: ['webhook.test'],
  response: { status: 201, schema: Delivery },
  problems: { 409: '`webhook_disabled`: enable it first.', 422: 'The event is unknown.' },
  async handler(scope, { params, body, limiters }) {
    await spend(limiters.webhookTest, scope.tenantId)
    return sendTest(scope, params.id, body)
  },
})

export const replayManyRoute = tenantRoute({
  method: 'post',
  path: '/webhook-deliveries/replay',
  operationId: 'replayWebhookDeliveries',
  summary: 'Send many dead-lettered deliveries again',
  description: 'The server sends them in batches in the background, and goes on after a restart.',
  tag,
  permission,
  body: ReplayMany,
  example: { since: '2026-03-01T00:00:00Z' },
  audit: ['delivery.replay_many'],
  response: { status: 202, schema: Queued },
  problems: { 422: 'The webhook is not yours, or the event is unknown.' },
  handler: (scope, { body }) => startReplay(scope, body),
})

export const resendManyRoute = tenantRoute({
  method: 'post',
  path: '/webhook-deliveries/resend',
  operationId: 'resendWebhookDeliveries',
  summary: 'Send many delivered events once more',
  description:
    'Makes new deliveries with the same event ids, at most 100,000 in one call. Count first with `dry_run`. ' +
    'The server ' +
    'sends them in batches in the background, and goes on after a restart. Tests are not sent again.',
  tag,
  permission,
  body: ResendMany,
  example: { since: '2026-03-01T00:00:00Z', until: '2026-03-02T00:00:00Z', dry_run: true },
  audit: ['delivery.resend_many'],
  response: { status: 202, schema: Queued },
  problems: { 422: 'The webhook or survey is not yours, the event is unknown, or too many deliveries match.' },
  handler: (scope, { body }) => startResend(scope, body),
})
