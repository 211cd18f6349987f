import { PageQuery, pageOf, pageRequest } from '../../../http/routes/pagination.ts'
import { tenantRoute, type Route } from '../../../http/routes/route.ts'
import { CreateInboundNumber, InboundNumber, UpdateInboundNumber } from './inbound-numbers.schema.ts'
import {
  createInboundNumber,
  deleteInboundNumber,
  getInboundNumber,
  listInboundNumbers,
  updateInboundNumber,
} from './inbound-numbers.service.ts'
import type { Feature } from '../../../platform/feature.ts'

const tag = 'Inbound numbers'
const BROKEN_RULE =
  'The phone number is not valid, the survey is not yours, the keyword is taken or reserved, or the time zone is ' +
  'unknown.'

export const listInboundNumbersRoute = tenantRoute({
  method: 'get',
  path: '/inbound-numbers',
  operationId: 'listInboundNumbers',
  summary: 'List the numbers for messages and calls',
  tag,
  query: PageQuery,
  response: { status: 200, schema: pageOf(InboundNumber) },
  handler: (scope, { query }) => listInboundNumbers(scope, pageRequest(query)),
})

export const createInboundNumberRoute = tenantRoute({
  method: 'post',
  path: '/inbound-numbers',
  operationId: 'createInboundNumber',
  summary: 'Add a number',
  description:
    'Point the provider’s messages to `/public/twilio/sms`, and its calls to `/public/twilio/voice/{survey id}`.',
  tag,
  permission: 'numbers.manage',
  body: CreateInboundNumber,
  example: { number: '+15005550006', label: 'Shops', language: 'en', quiet_hours: { start: '21:00', end: '08:00' } },
  audit: ['inbound_number.create'],
  response: { status: 201, schema: InboundNumber },
  problems: {
    403:
      '`number_not_assigned`: in production the operator assigns numbers. On a server with one workspace, numbers of the ' +
      'provider’s account need no assignment. A number of another workspace gets this answer too.',
    409: '`number_taken`: your workspace has the number, or in development another one. `too_many_numbers`: a workspace has at most 100.',
    422: BROKEN_RULE,
  },
  handler: (scope, { body }) => createInboundNumber(scope, body),
})

export const getInboundNumberRoute = tenantRoute({
  method: 'get',
  path: '/inbound-numbers/:id',
  operationId: 'getInboundNumber',
  summary: 'Read a number',
  tag,
  params: { id: 'inboundNumber' },
  response: { status: 200, schema: InboundNumber },
  handler: (scope, { params }) => getInboundNumber(scope, params.id),
})

export const updateInboundNumberRoute = tenantRoute({
  method: 'patch',
  path: '/inbound-numbers/:id',
  operationId: 'updateInboundNumber',
  summary: 'Change a number',
  tag,
  permission: 'numbers.manage',
  params: { id: 'inboundNumber' },
  body: UpdateInboundNumber,
  example: { label: 'Shops and depots' },
  audit: ['inbound_number.update'],
  response: { status: 200, schema: InboundNumber },
  problems: { 422: BROKEN_RULE },
  handler: (scope, { params, body }) => updateInboundNumber(scope, params.id, body),
})

export const deleteInboundNumberRoute = tenantRoute({
  method: 'delete',
  path: '/inbound-numbers/:id',
  operationId: 'deleteInboundNumber',
  summary: 'Delete a number',
  description: 'Its open conversations end as `partial`. Any workspace can then add the number.',
  tag,
  permission: 'numbers.manage',
  params: { id: 'inboundNumber' },
  audit: ['inbound_number.delete'],
  response: { status: 204 },
  handler: (scope, { params }) => deleteInboundNumber(scope, params.id),
})

export const inboundNumbers = {
  name: 'inbound-numbers',
  routes: [
    createInboundNumberRoute,
    deleteInboundNumberRoute,
    getInboundNumberRoute,
    listInboundNumbersRoute,
    updateInboundNumberRoute,
  ],
} satisfies Feature<Route>
