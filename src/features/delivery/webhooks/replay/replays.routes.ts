import { tenantRoute } from '../../../../http/route.ts'
import { Delivery } from '../log/deliveries.schema.ts'
import { Queued, ReplayMany } from './replays.schema.ts'
import { replayDelivery, startReplay } from './replays.service.ts'

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
