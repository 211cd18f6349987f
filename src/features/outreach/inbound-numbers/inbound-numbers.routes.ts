import { PageQuery, pageOf, pageRequest } from '../../../http/pagination.ts'
import { tenantRoute } from '../../../http/route.ts'
import { CreateInboundNumber, InboundNumber, UpdateInboundNumber } from './inbound-numbers.schema.ts'
import {
  createInboundNumber,
  deleteInboundNumber,
  getInboundNumber,
  listInboundNumbers,
  updateInboundNumber,
} from './inbound-numbers.service.ts'

const tag = 'Inbound numbers'
const BROKEN_RULE =
  'No phone number, a survey that is not yours, a keyword that is taken or has a meaning of its own, or an unknown time zone.'

export const listInboundNumbersRoute = tenantRoute({
  method: 'get',
  path: '/inbound-numbers',
  operationId: 'listInboundNumbers',
  summary: 'Numbers that people write to and call',
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
    'Have the provider post its messages to `/public/twilio/sms`, and its calls to `/public/twilio/voice/{survey id}`.',
  tag,
  permission: 'numbers.manage',
  body: CreateInboundNumber,
  example: { number: '+15005550006', label: 'Shops', language: 'en', quiet_hours: { start: '21:00', end: '08:00' } },
  response: { status: 201, schema: InboundNumber },
  problems: {
    409: '`number_taken`: the number is in use on this server; `too_many_numbers`: a workspace holds at most 100.',
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
  summary: 'Change what a number does',
  tag,
  permission: 'numbers.manage',
  params: { id: 'inboundNumber' },
  body: UpdateInboundNumber,
  example: { label: 'Shops and depots' },
  response: { status: 200, schema: InboundNumber },
  problems: { 422: BROKEN_RULE },
  handler: (scope, { params, body }) => updateInboundNumber(scope, params.id, body),
})

export const deleteInboundNumberRoute = tenantRoute({
  method: 'delete',
  path: '/inbound-numbers/:id',
  operationId: 'deleteInboundNumber',
  summary: 'Give a number up',
  description: 'Its open conversations end as `partial`, and any workspace may add the number.',
  tag,
  permission: 'numbers.manage',
  params: { id: 'inboundNumber' },
  response: { status: 204 },
  handler: (scope, { params }) => deleteInboundNumber(scope, params.id),
})
