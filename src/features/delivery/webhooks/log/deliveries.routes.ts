import { pageRequest } from '../../../../http/pagination.ts'
import { tenantRoute } from '../../../../http/route.ts'
import { Delivery, DeliveryDetail, DeliveryList, LedgerQuery, Queued, ReplayMany } from './deliveries.schema.ts'
import { getDelivery, listDeliveries, replayDelivery } from './deliveries.service.ts'
import { startReplay } from '../replay/replays.service.ts'

const tag = 'Webhook deliveries'
const permission = 'integrations.manage'

export const listDeliveriesRoute = tenantRoute({
  method: 'get',
  path: '/webhook-deliveries',
  operationId: 'listWebhookDeliveries',
  summary: 'The ledger of deliveries',
  description: 'Delivered, pending and dead-lettered rows, newest first, with counts by state under the same filters.',
  tag,
  permission,
  query: LedgerQuery,
  response: { status: 200, schema: DeliveryList },
  handler: (scope, { query }) => listDeliveries(scope, query, pageRequest(query)),
})

export const getDeliveryRoute = tenantRoute({
  method: 'get',
  path: '/webhook-deliveries/:id',
  operationId: 'getWebhookDelivery',
  summary: 'A delivery with its body and attempts',
  tag,
  permission,
  params: { id: 'delivery' },
  response: { status: 200, schema: DeliveryDetail },
  handler: (scope, { params }) => getDelivery(scope, params.id),
})

export const replayDeliveryRoute = tenantRoute({
  method: 'post',
  path: '/webhook-deliveries/:id/replay',
  operationId: 'replayWebhookDelivery',
  summary: 'Send a dead-lettered delivery again',
  tag,
  permission,
  params: { id: 'delivery' },
  response: { status: 200, schema: Delivery },
  problems: { 409: '`not_dead_lettered`, or `webhook_deleted`.' },
  handler: (scope, { params }) => replayDelivery(scope, params.id),
})

export const replayManyRoute = tenantRoute({
  method: 'post',
  path: '/webhook-deliveries/replay',
  operationId: 'replayWebhookDeliveries',
  summary: 'Send many dead-lettered deliveries again',
  description: 'Queued a batch at a time in the background; it goes on after a restart.',
  tag,
  permission,
  body: ReplayMany,
  example: { since: '2026-03-01T00:00:00Z' },
  response: { status: 202, schema: Queued },
  problems: { 422: 'A webhook that is not yours, or an unknown event.' },
  handler: (scope, { body }) => startReplay(scope, body),
})
