import { PageQuery, pageRequest } from '../../../http/routes/pagination.ts'
import { tenantRoute } from '../../../http/routes/route.ts'
import { getBackfill, listBackfills, requireWebhook } from './backfill-list.service.ts'
import {
  Backfill,
  BackfillJob,
  BackfillList,
  Explanation,
  ResponseExplanation,
  ExplainQuery,
  StartBackfill,
} from './backfills.schema.ts'
import { explain, explainResponse, startBackfill, continueBackfills, hasWaitingBackfills } from './backfills.service.ts'
import type { Feature } from '../../../platform/feature.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'

const startBackfillRoute = tenantRoute({
  method: 'post',
  path: '/webhooks/:id/backfill',
  operationId: 'backfillWebhook',
  summary: 'Send completed responses again',
  description:
    'Name a survey and a time, or up to 200 responses. Use it for responses from before the webhook existed, or for deliveries that your system lost. Bodies follow ' +
    'the webhook’s present toggles. The work goes on after a restart.',
  tag: 'Webhook deliveries',
  permission: 'integrations.manage',
  params: { id: 'webhook' },
  body: StartBackfill,
  example: { survey_id: 'srv_01jd8m2t4he6r7s8t9v0w1x2y3', since: '2026-03-01T00:00:00Z', dry_run: true },
  audit: ['webhook.backfill'],
  response: { status: 202, schema: Backfill },
  problems: { 422: 'The survey or a response is unknown, or the webhook does not cover it.' },
  handler: (scope, { params, body }) => startBackfill(scope, params.id, body),
})

const listBackfillsRoute = tenantRoute({
  method: 'get',
  path: '/webhooks/:id/backfills',
  operationId: 'listWebhookBackfills',
  summary: 'List the backfills of a webhook, newest first',
  description: 'Those that ended more than 90 days ago are forgotten.',
  tag: 'Webhook deliveries',
  permission: 'integrations.manage',
  params: { id: 'webhook' },
  query: PageQuery,
  response: { status: 200, schema: BackfillList },
  handler: (scope, { params, query }) => listBackfills(scope, params.id, pageRequest(query)),
})

const getBackfillRoute = tenantRoute({
  method: 'get',
  path: '/webhooks/:id/backfills/:bid',
  operationId: 'getWebhookBackfill',
  summary: 'Read how far a backfill has come',
  tag: 'Webhook deliveries',
  permission: 'integrations.manage',
  params: { id: 'webhook', bid: 'backfill' },
  response: { status: 200, schema: BackfillJob },
  handler: (scope, { params }) => getBackfill(scope, params.id, params.bid),
})

const explainRoute = tenantRoute({
  method: 'get',
  path: '/webhooks/:id/explain',
  operationId: 'explainWebhook',
  summary: 'Explain why a response was or was not sent to this webhook',
  tag: 'Webhook deliveries',
  permission: 'integrations.manage',
  params: { id: 'webhook' },
  find: (scope, { id }) => requireWebhook(scope, id),
  query: ExplainQuery,
  exampleQuery: { response_id: 'rsp_01jd8m3v6kf2p9q4w5x6y7z8a0' },
  response: { status: 200, schema: Explanation },
  handler: (scope, { params, query }) => explain(scope, params.id, query),
})

const explainResponseRoute = tenantRoute({
  method: 'get',
  path: '/responses/:rid/explain',
  operationId: 'explainResponse',
  summary: 'Explain for each webhook why a response was or was not sent',
  tag: 'Webhook deliveries',
  permission: 'integrations.manage',
  params: { rid: 'response' },
  response: { status: 200, schema: ResponseExplanation },
  handler: (scope, { params }) => explainResponse(scope, params.rid),
})

/** Continues backfills, one batch at a time, also after a restart. */
export const backfillSweep: Sweep = {
  name: 'webhooks.backfill',
  everySeconds: 300,
  isDue: hasWaitingBackfills,
  run: continueBackfills,
}

export const backfills = {
  name: 'backfills',
  routes: [startBackfillRoute, listBackfillsRoute, getBackfillRoute, explainRoute, explainResponseRoute],
  sweeps: [backfillSweep],
} satisfies Feature
