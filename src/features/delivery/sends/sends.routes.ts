import { pageRequest } from '../../../http/routes/pagination.ts'
import { tenantRoute } from '../../../http/routes/route.ts'
import { SendList, SendQuery, SurveyDeliveryList, SurveyDeliveryQuery } from './sends.schema.ts'
import { listSends, listSurveyDeliveries } from './sends.service.ts'

const tag = 'Sending'

export const listSendsRoute = tenantRoute({
  method: 'get',
  path: '/sends',
  operationId: 'listSends',
  summary: 'List messages to people, newest first, with the result of each',
  tag,
  query: SendQuery,
  response: { status: 200, schema: SendList },
  handler: (scope, { query }) => listSends(scope, query, pageRequest(query)),
})

export const listSurveyDeliveriesRoute = tenantRoute({
  method: 'get',
  path: '/survey-deliveries',
  operationId: 'listSurveyDeliveries',
  summary: 'List accepted messages, newest first, without recipients',
  tag,
  query: SurveyDeliveryQuery,
  response: { status: 200, schema: SurveyDeliveryList },
  handler: (scope, { query }) => listSurveyDeliveries(scope, query, pageRequest(query)),
})
