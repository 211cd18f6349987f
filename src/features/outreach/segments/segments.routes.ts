import { STALE, tagged } from '../../../http/routes/headers.ts'
import { tenantRoute } from '../../../http/routes/route.ts'
import {
  CreateSegment,
  PreviewSegment,
  Segment,
  SegmentList,
  SegmentPreview,
  SegmentQuery,
  UpdateSegment,
} from './segments.schema.ts'
import {
  createSegment,
  deleteSegment,
  getSegment,
  listSegments,
  previewFilter,
  previewSegment,
  updateSegment,
  type SegmentUses,
} from './segments.service.ts'

const tag = 'Segments'
const permission = 'segments.manage'
const FILTER = { all: [{ field: 'attribute.plan', op: 'eq', value: 'pro' }] }

const UNKNOWN = { 422: '`unknown_reference`: the filter names something that the workspace does not have.' }

export const listSegmentsRoute = tenantRoute({
  method: 'get',
  path: '/segments',
  operationId: 'listSegments',
  summary: 'List segments, newest first',
  tag,
  query: SegmentQuery,
  response: { status: 200, schema: SegmentList },
  handler: (scope, { query }) => listSegments(scope, query),
})

export const createSegmentRoute = tenantRoute({
  method: 'post',
  path: '/segments',
  operationId: 'createSegment',
  summary: 'Create a segment: a saved filter on people',
  tag,
  permission,
  body: CreateSegment,
  example: { name: 'Pro customers', filter: FILTER },
  audit: ['segment.create'],
  problems: UNKNOWN,
  response: { status: 201, schema: Segment, headers: ['ETag'] },
  handler: async (scope, { body, c }) => tagged(c, await createSegment(scope, body)),
})

export const previewFilterRoute = tenantRoute({
  method: 'post',
  path: '/segments/preview',
  operationId: 'previewSegmentFilter',
  summary: 'Count the people that a filter chooses',
  tag,
  permission,
  idempotent: false,
  body: PreviewSegment,
  example: { filter: FILTER },
  audit: { none: 'It only reads, and its sample is masked.' },
  problems: UNKNOWN,
  response: { status: 200, schema: SegmentPreview },
  handler: (scope, { body }) => previewFilter(scope, body.filter),
})

export const getSegmentRoute = tenantRoute({
  method: 'get',
  path: '/segments/:id',
  operationId: 'getSegment',
  summary: 'Read a segment',
  tag,
  params: { id: 'segment' },
  response: { status: 200, schema: Segment, headers: ['ETag'] },
  handler: async (scope, { params: { id }, c }) => tagged(c, await getSegment(scope, id)),
})

export const previewSegmentRoute = tenantRoute({
  method: 'get',
  path: '/segments/:id/preview',
  operationId: 'previewSegment',
  summary: 'Count the people of a segment',
  tag,
  params: { id: 'segment' },
  response: { status: 200, schema: SegmentPreview },
  handler: (scope, { params: { id } }) => previewSegment(scope, id),
})

export const updateSegmentRoute = tenantRoute({
  method: 'patch',
  path: '/segments/:id',
  operationId: 'updateSegment',
  summary: 'Change a segment',
  description: 'Invitations that were accepted before keep their people.',
  tag,
  permission,
  params: { id: 'segment' },
  headers: ['if-match'],
  body: UpdateSegment,
  example: { name: 'Professional customers' },
  audit: ['segment.update'],
  problems: { ...STALE, ...UNKNOWN },
  response: { status: 200, schema: Segment, headers: ['ETag'] },
  handler: async (scope, { params: { id }, body, c }) =>
    tagged(c, await updateSegment(scope, id, body, c.req.header('if-match'))),
})

export function createDeleteRoute(uses: SegmentUses[]) {
  return tenantRoute({
    method: 'delete',
    path: '/segments/:id',
    operationId: 'deleteSegment',
    summary: 'Delete a segment',
    tag,
    permission,
    params: { id: 'segment' },
    headers: ['if-match'],
    audit: ['segment.delete'],
    response: { status: 204 },
    problems: {
      ...STALE,
      409: '`in_use`: `used_by` lists the invitations, alert rules, dashboards and export templates that name this segment.',
    },
    handler: (scope, { params: { id }, c }) => deleteSegment(scope, id, uses, c.req.header('if-match')),
  })
}
