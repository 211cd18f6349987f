import { tenantRoute } from '../../../http/routes/route.ts'
import { System } from './system.schema.ts'
import { describeSystem } from './system.service.ts'

export const getSystemRoute = tenantRoute({
  method: 'get',
  path: '/system',
  operationId: 'getSystem',
  summary: 'Show how far background work is behind',
  tag: 'System',
  response: { status: 200, schema: System },
  handler: (scope) => describeSystem(scope),
})
