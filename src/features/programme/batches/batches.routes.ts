import type { z } from 'zod'
import { callerGone } from '../../../http/context.ts'
import { tenantRoute } from '../../../http/routes/route.ts'
import type { Permission } from '../../../platform/permissions.ts'
import { cancelBatch, changeByFilter, changeByIds, getBatch, undoBatch } from './batches.service.ts'
import {
  AcceptedBatch,
  Batch,
  BatchAnswer,
  batchOf,
  ChangeAlerts,
  ChangeDeliveries,
  ChangeLeads,
  ChangePeople,
  ChangeResponses,
  type BatchList,
} from './batches.schema.ts'

const tag = 'Batches'
const params = { id: 'batch' } as const

export const changeResponsesRoute = batchRoute({
  list: 'responses',
  permission: 'responses.manage',
  operationId: 'changeResponses',
  body: batchOf('responses', ChangeResponses, 'ChangeManyResponses'),
  example: { ids: ['rsp_01jwq3v8n8e6h9k2m4p6r8t0va'], do: { add_tags: ['follow-up'] } },
})

export const changeAlertsRoute = batchRoute({
  list: 'alerts',
  permission: 'alerts.manage',
  operationId: 'changeAlerts',
  body: batchOf('alerts', ChangeAlerts, 'ChangeManyAlerts'),
  example: { ids: ['alr_01jwq3v8n8e6h9k2m4p6r8t0va'], do: { status: 'acknowledged' } },
})

export const changeLeadsRoute = batchRoute({
  list: 'leads',
  permission: 'leads.manage',
  operationId: 'changeLeads',
  body: batchOf('leads', ChangeLeads, 'ChangeManyLeads'),
  example: { ids: ['lead_01jwq3v8n8e6h9k2m4p6r8t0va'], do: { status: 'contacted' } },
})

export const changePeopleRoute = batchRoute({
  list: 'people',
  permission: 'people.manage',
  operationId: 'changePeople',
  body: batchOf('people', ChangePeople, 'ChangeManyPeople'),
  example: { ids: ['per_01jwq3v8n8e6h9k2m4p6r8t0va'], do: { attributes: { tier: 'gold' } } },
})

export const changeDeliveriesRoute = batchRoute({
  list: 'webhook-deliveries',
  permission: 'integrations.manage',
  operationId: 'changeWebhookDeliveries',
  body: batchOf('webhook_deliveries', ChangeDeliveries, 'ChangeManyWebhookDeliveries'),
  example: { ids: ['whd_01jwq3v8n8e6h9k2m4p6r8t0va'], do: { replay: true } },
})

export const getBatchRoute = tenantRoute({
  method: 'get',
  path: '/batches/:id',
  operationId: 'getBatch',
  summary: 'Read how far a batch is',
  description: 'For its maker, and for holders of the permission of its list.',
  tag,
  params,
  response: { status: 200, schema: Batch },
  problems: { 403: 'Somebody else made it, and its list needs a permission.' },
  handler: (scope, { params: { id } }) => getBatch(scope, id),
})

export const cancelBatchRoute = tenantRoute({
  method: 'post',
  path: '/batches/:id/cancel',
  operationId: 'cancelBatch',
  summary: 'Stop a batch',
  description: 'The rows that it has not changed yet stay as they are.',
  tag,
  params,
  audit: ['batch.cancel'],
  response: { status: 200, schema: Batch },
  problems: { 403: 'Somebody else made it, and its list needs a permission.', 409: 'It has ended.' },
  handler: (scope, { params: { id } }) => cancelBatch(scope, id),
})

export const undoBatchRoute = tenantRoute({
  method: 'post',
  path: '/batches/:id/undo',
  operationId: 'undoBatch',
  summary: 'Give the rows of a batch back what they had',
  description:
    'Until `undo_until`. A row that was changed since then stays as it is, and counts as `unchanged`. Deletions and ' +
    'deliveries cannot be undone.',
  tag,
  params,
  audit: ['batch.undo'],
  response: { status: 202, schema: Batch },
  problems: { 403: 'The list needs a permission.', 409: '`not_undoable`.' },
  handler: (scope, { params: { id } }) => undoBatch(scope, id),
})

function batchRoute<Body extends ReturnType<typeof batchOf>>({
  list,
  permission,
  operationId,
  body,
  example,
}: {
  list: BatchList
  permission: Permission
  operationId: string
  body: Body
  example: z.input<Body>
}) {
  return tenantRoute({
    method: 'post',
    path: `/${list}/batch`,
    operationId,
    summary: `Change many ${list.replace('-', ' ')} at once`,
    description:
      'By `ids`, at most 500, with the result of each. Or by `filter`: the rows are chosen now, at most 100,000, and ' +
      'changed in the background. Each row gets what its single route does, and a row that fails harms no other. ' +
      'A dry run by filter tries 10,000 rows, or as many as fit into a minute: those it has not tried are in `total` alone. ' +
      '`GET /v1/batches/:id` shows how far it is.',
    tag,
    permission,
    body,
    example,
    audit: ['batch.create'],
    response: {
      status: 200,
      schema: BatchAnswer,
      headers: ['Location'],
      also: {
        status: 202,
        description: 'A batch by filter was accepted: `{id, total}`, and its address in `Location`.',
      },
    },
    problems: {
      409: '`changed`: another number of rows matches than `expect`; `matching` has it.',
      422: '`too_many`, or a reference that is not the workspace’s. Nothing was done.',
      429: '`too_many_batches`: three run already.',
    },
    async handler(scope, { body: asked, c }) {
      if ('ids' in asked) return changeByIds(scope, list, asked as never)
      const answer = await changeByFilter(scope, list, asked as never, callerGone(c))
      if ('dry_run' in answer) return answer
      c.header('Location', `/v1/batches/${answer.id}`)
      return c.json(AcceptedBatch.parse(answer), 202)
    },
  })
}
