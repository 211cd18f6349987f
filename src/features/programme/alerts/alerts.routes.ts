import type { AppContext } from '../../../http/context.ts'
import { tenantRoute } from '../../../http/routes/route.ts'
import { etagOf, matches } from '../../../platform/etag.ts'
import { AddComment, AlertDetail, AlertList, AlertQuery, UpdateAlert } from './alerts.schema.ts'
import { addComment, getAlert, listAlerts, updateAlert, type Tagged } from './alerts.service.ts'

const tag = 'Alerts'
const permission = 'alerts.manage'
const params = { id: 'alert' } as const

export const listAlertsRoute = tenantRoute({
  method: 'get',
  path: '/alerts',
  operationId: 'listAlerts',
  summary: 'List alerts, newest first',
  tag,
  query: AlertQuery,
  response: { status: 200, schema: AlertList },
  handler: (scope, { query }) => listAlerts(scope, query),
})

export const getAlertRoute = tenantRoute({
  method: 'get',
  path: '/alerts/:id',
  operationId: 'getAlert',
  summary: 'Read an alert with its timeline and `ETag`',
  tag,
  params,
  response: { status: 200, schema: AlertDetail, headers: ['ETag'] },
  handler: async (scope, { params: { id }, c }) => tagged(c, await getAlert(scope, id)),
})

export const updateAlertRoute = tenantRoute({
  method: 'patch',
  path: '/alerts/:id',
  operationId: 'updateAlert',
  summary: 'Take, work on, resolve or reopen an alert',
  description:
    'Send the `ETag` that you read as `If-Match`, so that two people never take one alert at once. The first ' +
    '`resolved` or `closed` sends webhooks `alert.resolved`.',
  tag,
  permission,
  params,
  headers: ['if-match'],
  body: UpdateAlert,
  example: { status: 'acknowledged', priority: 'urgent' },
  audit: ['alert.update'],
  response: { status: 200, schema: AlertDetail, headers: ['ETag'] },
  problems: {
    409: '`taken`: `If-Match` is not the current revision. `invalid_transition`.',
    422: '`unknown_member`.',
  },
  handler: async (scope, { params: { id }, body, c }) =>
    tagged(c, await updateAlert(scope, id, body, (revision) => matches(c.req.header('if-match'), revision))),
})

export const addAlertCommentRoute = tenantRoute({
  method: 'post',
  path: '/alerts/:id/comments',
  operationId: 'addAlertComment',
  summary: 'Comment on an alert',
  tag,
  permission,
  params,
  body: AddComment,
  example: { text: 'Called back. A replacement is on its way.' },
  audit: ['alert.add_comment'],
  response: { status: 201, schema: AlertDetail, headers: ['ETag'] },
  problems: { 409: '`too_many_comments`.' },
  handler: async (scope, { params: { id }, body, c }) => tagged(c, await addComment(scope, id, body)),
})

function tagged(c: AppContext, { alert, revision }: Tagged): Tagged['alert'] {
  c.header('ETag', etagOf(revision))
  return alert
}
