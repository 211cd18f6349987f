import { pageOf, pageRequest } from '../../../../http/routes/pagination.ts'
import { tenantRoute } from '../../../../http/routes/route.ts'
import {
  DeliveryDetail,
  DeliveryList,
  DeliveriesQuery,
  WebhookHealth,
  WebhooksQuery,
  WebhookWithHealth,
} from './deliveries.schema.ts'
import { getDelivery, listDeliveries } from './deliveries.service.ts'
import { listWithHealth } from './health-summary.service.ts'
import { readHealth } from './health.service.ts'

const tag = 'Webhook deliveries'
const permission = 'integrations.manage'

export const listDeliveriesRoute = tenantRoute({
  method: 'get',
  path: '/webhook-deliveries',
  operationId: 'listWebhookDeliveries',
  summary: 'List deliveries',
  description: 'In every state. The counts by state follow all filters but `status`.',
  tag,
  permission,
  query: DeliveriesQuery,
  response: { status: 200, schema: DeliveryList },
  handler: (scope, { query }) => listDeliveries(scope, query, pageRequest(query)),
})

export const getDeliveryRoute = tenantRoute({
  method: 'get',
  path: '/webhook-deliveries/:id',
  operationId: 'getWebhookDelivery',
  summary: 'Read a delivery with its body and attempts',
  tag,
  permission,
  params: { id: 'delivery' },
  response: { status: 200, schema: DeliveryDetail },
  handler: (scope, { params }) => getDelivery(scope, params.id),
})

export const getHealthRoute = tenantRoute({
  method: 'get',
  path: '/webhooks/:id/health',
  operationId: 'getWebhookHealth',
  summary: 'Read how the attempts of a webhook went in the last 7 days',
  description:
    'Attempts are counted by hour, and are up to a second late. Tests do not count. `last_failures` needs the permission `integrations.manage`, and is empty without it.',
  tag: 'Webhooks',
  params: { id: 'webhook' },
  response: { status: 200, schema: WebhookHealth },
  handler: (scope, { params }) => readHealth(scope, params.id),
})

export const listWebhooksRoute = tenantRoute({
  method: 'get',
  path: '/webhooks',
  operationId: 'listWebhooks',
  summary: 'List webhooks',
  description: 'With `include=health` each has its health of the last 7 days.',
  tag: 'Webhooks',
  query: WebhooksQuery,
  response: { status: 200, schema: pageOf(WebhookWithHealth) },
  handler: (scope, { query }) => listWithHealth(scope, pageRequest(query), query.include),
})
