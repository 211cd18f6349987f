import { pageRequest } from '../../../http/routes/pagination.ts'
import { tenantRoute } from '../../../http/routes/route.ts'
import { Send, SendList, SendQuery, SurveyDeliveryList, SurveyDeliveryQuery } from './sends.schema.ts'
import { exportedSends, listBacklog, listSends, listSurveyDeliveries, onPromiseChanges } from './sends.service.ts'
import type { Feature } from '../../../platform/feature.ts'
import { personal } from './personal.service.ts'
import { sends as entity } from './send.entity.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { removeOldSends } from './retention.service.ts'

const tag = 'Sending'

const listSendsRoute = tenantRoute({
  method: 'get',
  path: '/sends',
  operationId: 'listSends',
  summary: 'List messages to people, newest first, with the result of each',
  tag,
  query: SendQuery,
  response: { status: 200, schema: SendList },
  handler: (scope, { query }) => listSends(scope, query, pageRequest(query)),
})

const listSurveyDeliveriesRoute = tenantRoute({
  method: 'get',
  path: '/survey-deliveries',
  operationId: 'listSurveyDeliveries',
  summary: 'List accepted messages, newest first, without recipients',
  tag,
  query: SurveyDeliveryQuery,
  response: { status: 200, schema: SurveyDeliveryList },
  handler: (scope, { query }) => listSurveyDeliveries(scope, query, pageRequest(query)),
})

/** Forgets to whom surveys went after `RETENTION_SENDS_DAYS`. */
const oldSendsSweep: Sweep = { name: 'sends.retention', everySeconds: 3600, run: removeOldSends }

export const sends = {
  name: 'sends',
  routes: [listSendsRoute, listSurveyDeliveriesRoute],
  sweeps: [oldSendsSweep],
  retention: [{ tables: ['sends', 'survey_deliveries', 'provider_messages'], sweep: oldSendsSweep }],
  entities: { sends: entity },
  parts: {
    lists: {
      sends: {
        members: Object.keys(Send.shape),
        moment: 'created_at',
        suggests: ['status', 'channel', 'language', 'agent_id'],
        exported: exportedSends,
      },
    },
    queues: { sends: listBacklog },
  },
  personal,
  listeners: [onPromiseChanges],
} satisfies Feature
