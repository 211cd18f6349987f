import { PageQuery, pageOfAll } from '../../../http/routes/pagination.ts'
import { tenantRoute } from '../../../http/routes/route.ts'
import { CATALOGUE, CatalogueList } from './events.schema.ts'
import type { Feature } from '../../../platform/feature.ts'

export const listEventsRoute = tenantRoute({
  method: 'get',
  path: '/webhook-events',
  operationId: 'listWebhookEvents',
  summary: 'List all events',
  description: 'Each event has a name, a meaning, a JSON Schema of its body and an example.',
  tag: 'Webhooks',
  query: PageQuery,
  response: { status: 200, schema: CatalogueList },
  handler: async (_scope, { query }) => pageOfAll(CATALOGUE, query),
})

export const events = {
  name: 'events',
  routes: [listEventsRoute],
} satisfies Feature
