import { tenantRoute, type Route } from '../../../http/routes/route.ts'
import {
  CreateFilterView,
  FilterView,
  FilterViewList,
  FilterViewQuery,
  UpdateFilterView,
} from './filter-views.schema.ts'
import {
  createFilterView,
  deleteFilterView,
  getFilterView,
  listFilterViews,
  updateFilterView,
} from './filter-views.service.ts'
import type { Feature } from '../../../platform/feature.ts'

const tag = 'Filter views'
const params = { id: 'filterView' } as const
const response = { status: 200, schema: FilterView } as const
const UNKNOWN = { 422: '`unknown_reference`: the filter names something that the workspace does not have.' }
const problems = { 403: '`not_owner`: only its owner can change a view. `forbidden`: a key needs `dashboards.manage`.' }

export const listFilterViewsRoute = tenantRoute({
  method: 'get',
  path: '/filter-views',
  operationId: 'listFilterViews',
  summary: 'List your views and the shared ones, newest first',
  tag,
  query: FilterViewQuery,
  response: { status: 200, schema: FilterViewList },
  handler: (scope, { query }) => listFilterViews(scope, query),
})

export const createFilterViewRoute = tenantRoute({
  method: 'post',
  path: '/filter-views',
  operationId: 'createFilterView',
  summary: 'Save the filter, columns and order of a list',
  description:
    'It is yours. An API key with `dashboards.manage` acts for the member who made it, and others make none.',
  tag,
  body: CreateFilterView,
  example: {
    name: 'Unhappy customers',
    entity: 'responses',
    filter: { all: [{ field: 'score', op: 'lte', value: 6 }] },
    columns: ['completed_at', 'score', 'text'],
    sort: '-completed_at',
    visibility: 'shared',
    is_default: true,
  },
  audit: ['filter_view.create'],
  response: { status: 201, schema: FilterView },
  problems: { 403: '`forbidden`: a key needs `dashboards.manage`.', ...UNKNOWN },
  handler: (scope, { body }) => createFilterView(scope, body),
})

export const getFilterViewRoute = tenantRoute({
  method: 'get',
  path: '/filter-views/:id',
  operationId: 'getFilterView',
  summary: 'Read a view',
  tag,
  params,
  response,
  handler: (scope, { params: { id } }) => getFilterView(scope, id),
})

export const updateFilterViewRoute = tenantRoute({
  method: 'patch',
  path: '/filter-views/:id',
  operationId: 'updateFilterView',
  summary: 'Change a view',
  description:
    'Only the owner can change the view. Everybody can set their own `is_default`. An API key needs `dashboards.manage`.',
  tag,
  params,
  body: UpdateFilterView,
  example: { visibility: 'shared' },
  audit: ['filter_view.update'],
  response,
  problems: { ...problems, ...UNKNOWN },
  handler: (scope, { params: { id }, body }) => updateFilterView(scope, id, body),
})

export const deleteFilterViewRoute = tenantRoute({
  method: 'delete',
  path: '/filter-views/:id',
  operationId: 'deleteFilterView',
  summary: 'Delete a view',
  tag,
  params,
  audit: ['filter_view.delete'],
  response: { status: 204 },
  problems,
  handler: (scope, { params: { id } }) => deleteFilterView(scope, id),
})

export const filterViews = {
  name: 'filter-views',
  routes: [
    createFilterViewRoute,
    deleteFilterViewRoute,
    getFilterViewRoute,
    listFilterViewsRoute,
    updateFilterViewRoute,
  ],
} satisfies Feature<Route>
