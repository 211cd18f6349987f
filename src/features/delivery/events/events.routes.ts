import { tenantRoute } from '../../../http/route.ts'
import { CATALOGUE, CatalogueList } from './events.schema.ts'

export const listEventsRoute = tenantRoute({
  method: 'get',
  path: '/webhook-events',
  operationId: 'listWebhookEvents',
  summary: 'The events that exist',
  description: 'Name, meaning, JSON Schema of the body and an example of each.',
  tag: 'Webhooks',
  response: { status: 200, schema: CatalogueList },
  handler: async () => ({ data: CATALOGUE, next_cursor: null }),
})
