import { pageRequest } from '../../../http/routes/pagination.ts'
import { tenantRoute } from '../../../http/routes/route.ts'
import {
  AddNote,
  AddTags,
  ReleaseResponse,
  ResponseList,
  ResponseQuery,
  SurveyResponse,
  UpdateResponse,
} from './responses.schema.ts'
import { listResponses } from './listing.service.ts'
import {
  addNote,
  deleteNote,
  editNote,
  addTags,
  deleteResponse,
  getResponse,
  quarantineResponse,
  releaseResponse,
  updateResponse,
} from './responses.service.ts'

const tag = 'Responses'
const permission = 'responses.manage'
const params = { rid: 'response' } as const
const response = { status: 200, schema: SurveyResponse } as const
const DELETED = 'The response was deleted.'

export const listResponsesRoute = tenantRoute({
  method: 'get',
  path: '/responses',
  operationId: 'listResponses',
  summary: 'List responses',
  tag,
  query: ResponseQuery,
  response: { status: 200, schema: ResponseList },
  handler: (scope, { query }) => listResponses(scope, query, pageRequest(query)),
})

export const getResponseRoute = tenantRoute({
  method: 'get',
  path: '/responses/:rid',
  operationId: 'getResponse',
  summary: 'Read a response',
  tag,
  params,
  response,
  handler: (scope, { params: { rid } }) => getResponse(scope, rid),
})

export const updateResponseRoute = tenantRoute({
  method: 'patch',
  path: '/responses/:rid',
  operationId: 'updateResponse',
  summary: 'Replace tags, set custom data or the agent',
  description: 'Webhooks receive `response.updated` when the custom data or the tags of a completed response change.',
  tag,
  permission,
  params,
  body: UpdateResponse,
  example: { tags: ['follow-up'], custom_data: { plan: 'pro' } },
  audit: ['response.update'],
  response,
  problems: { 409: DELETED, 422: 'The survey does not declare this field, or `unknown_agent`.' },
  handler: (scope, { params: { rid }, body }) => updateResponse(scope, rid, body),
})

export const deleteResponseRoute = tenantRoute({
  method: 'delete',
  path: '/responses/:rid',
  operationId: 'deleteResponse',
  summary: 'Delete a response and erase its content',
  description: 'The response stays in the list as `deleted`, without any content.',
  tag,
  permission,
  params,
  audit: ['response.delete'],
  response: { status: 204 },
  handler: async (scope, { params: { rid }, c }) => {
    await deleteResponse(scope, rid)
    return c.body(null, 204)
  },
})

export const addTagsRoute = tenantRoute({
  method: 'post',
  path: '/responses/:rid/tags',
  operationId: 'addResponseTags',
  summary: 'Add tags',
  tag,
  permission,
  params,
  body: AddTags,
  example: { tags: ['follow-up'] },
  audit: ['response.add_tags'],
  response,
  problems: { 409: DELETED, 422: 'The response would have too many tags.' },
  handler: (scope, { params: { rid }, body }) => addTags(scope, rid, body.tags),
})

export const addNoteRoute = tenantRoute({
  method: 'post',
  path: '/responses/:rid/notes',
  operationId: 'addResponseNote',
  summary: 'Add a note for the team',
  tag,
  permission,
  params,
  body: AddNote,
  example: { text: 'Called back on Monday.' },
  audit: ['response.add_note'],
  response: { status: 201, schema: SurveyResponse },
  problems: { 409: DELETED, 422: 'The response would have too many notes.' },
  handler: (scope, { params: { rid }, body }) => addNote(scope, rid, body.text),
})

const noteParams = { rid: 'response', nid: 'note' } as const

export const updateNoteRoute = tenantRoute({
  method: 'patch',
  path: '/responses/:rid/notes/:nid',
  operationId: 'updateResponseNote',
  summary: 'Change your own note',
  tag,
  permission,
  params: noteParams,
  body: AddNote,
  example: { text: 'Called back on Tuesday.' },
  audit: ['response.update_note'],
  response: { status: 200, schema: SurveyResponse },
  problems: { 403: '`not_author`: somebody else wrote it.', 409: DELETED },
  handler: (scope, { params: { rid, nid }, body }) => editNote(scope, rid, nid, body.text),
})

export const deleteNoteRoute = tenantRoute({
  method: 'delete',
  path: '/responses/:rid/notes/:nid',
  operationId: 'deleteResponseNote',
  summary: 'Delete a note',
  tag,
  permission,
  params: noteParams,
  audit: ['response.delete_note'],
  response: { status: 204 },
  problems: { 409: DELETED },
  handler: (scope, { params: { rid, nid } }) => deleteNote(scope, rid, nid),
})

export const quarantineResponseRoute = tenantRoute({
  method: 'post',
  path: '/responses/:rid/quarantine',
  operationId: 'quarantineResponse',
  summary: 'Quarantine a response: keep it out of reports and quotas',
  tag,
  permission,
  params,
  audit: ['response.quarantine'],
  response,
  problems: { 409: DELETED },
  handler: (scope, { params: { rid } }) => quarantineResponse(scope, rid),
})

export const releaseResponseRoute = tenantRoute({
  method: 'post',
  path: '/responses/:rid/release',
  operationId: 'releaseResponse',
  summary: 'Release a quarantined response',
  description:
    'If the event of a completed response was held back, it is sent now. A completed response needs a place in its ' +
    'quotas and within the response limit, or `{"exceed": true}`.',
  tag,
  permission,
  params,
  body: ReleaseResponse,
  optionalBody: true,
  example: { exceed: true },
  audit: ['response.release'],
  response,
  problems: { 409: '`invalid_state`: the response is not quarantined. `quota_full`: a quota or the limit is reached.' },
  handler: (scope, { params: { rid }, body }) => releaseResponse(scope, rid, body),
})
