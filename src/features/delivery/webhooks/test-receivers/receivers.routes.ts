import { pageOf, PageQuery, pageRequest } from '../../../../http/routes/pagination.ts'
import { tenantRoute } from '../../../../http/routes/route.ts'
import { CreateTestReceiver, ReceivedRequests, TestReceiver, UpdateTestReceiver } from './receivers.schema.ts'
import {
  changeAnswer,
  createReceiver,
  deleteReceiver,
  getReceiver,
  listReceivers,
  listRequests,
} from './receivers.service.ts'

const tag = 'Webhooks'
const permission = 'integrations.manage'

export const listReceiversRoute = tenantRoute({
  method: 'get',
  path: '/test-receivers',
  operationId: 'listTestReceivers',
  summary: 'List test receivers',
  tag,
  permission,
  query: PageQuery,
  response: { status: 200, schema: pageOf(TestReceiver) },
  handler: (scope, { query }) => listReceivers(scope, pageRequest(query)),
})

export const createReceiverRoute = tenantRoute({
  method: 'post',
  path: '/test-receivers',
  operationId: 'createTestReceiver',
  summary: 'Make a receiver to try webhooks with',
  description:
    'It lasts an hour. A webhook of this workspace may have its `url`. Deliveries to it are signed, logged and tried ' +
    'again like all others. They are handed over inside the server, so they work behind a firewall.',
  tag,
  permission,
  body: CreateTestReceiver,
  optionalBody: true,
  example: { answer: 200 },
  audit: ['test_receiver.create'],
  response: { status: 201, schema: TestReceiver },
  problems: { 409: '`too_many_receivers`: the workspace has 5.' },
  handler: (scope, { body }) => createReceiver(scope, body),
})

export const getReceiverRoute = tenantRoute({
  method: 'get',
  path: '/test-receivers/:id',
  operationId: 'getTestReceiver',
  summary: 'Read a test receiver',
  tag,
  permission,
  params: { id: 'testReceiver' },
  response: { status: 200, schema: TestReceiver },
  handler: (scope, { params }) => getReceiver(scope, params.id),
})

export const updateReceiverRoute = tenantRoute({
  method: 'patch',
  path: '/test-receivers/:id',
  operationId: 'updateTestReceiver',
  summary: 'Change the answer of a test receiver',
  tag,
  permission,
  params: { id: 'testReceiver' },
  body: UpdateTestReceiver,
  example: { answer: 500 },
  audit: { none: 'It is a tool of one hour. Its creation is recorded.' },
  response: { status: 200, schema: TestReceiver },
  handler: (scope, { params, body }) => changeAnswer(scope, params.id, body.answer),
})

export const deleteReceiverRoute = tenantRoute({
  method: 'delete',
  path: '/test-receivers/:id',
  operationId: 'deleteTestReceiver',
  summary: 'Delete a test receiver',
  description: 'Its requests go, and the webhooks that lead to it are disabled with `receiver_expired`.',
  tag,
  permission,
  params: { id: 'testReceiver' },
  audit: { none: 'It is a tool of one hour. Each webhook that it disables is recorded.' },
  response: { status: 204 },
  handler: (scope, { params }) => deleteReceiver(scope, params.id),
})

export const listRequestsRoute = tenantRoute({
  method: 'get',
  path: '/test-receivers/:id/requests',
  operationId: 'listReceivedRequests',
  summary: 'List the requests of a test receiver',
  description: 'Newest first. The last 20 are kept.',
  tag,
  permission,
  params: { id: 'testReceiver' },
  query: PageQuery,
  response: { status: 200, schema: ReceivedRequests },
  handler: (scope, { params, query }) => listRequests(scope, params.id, pageRequest(query)),
})
