import { STALE, tagged } from '../../../http/routes/headers.ts'
import { tenantRoute, type Route } from '../../../http/routes/route.ts'
import {
  CreateDashboard,
  Dashboard,
  DashboardData,
  DashboardList,
  DashboardQuery,
  DataQuery,
  UpdateDashboard,
  CreatedShare,
  CreateShare,
} from './dashboards.schema.ts'
import {
  createDashboard,
  deleteDashboard,
  getDashboard,
  listDashboards,
  readDashboardData,
  updateDashboard,
  type DashboardUses,
} from './dashboards.service.ts'
import { revokeShare, shareDashboard } from './shares/shares.service.ts'
import { Figures, ReadFigures } from './figures.schema.ts'
import { answerQueries } from './asked-figures.service.ts'
import type { Feature } from '../../../platform/feature.ts'
import { openSharedPageRoute, openSharedRoute, readSharedRoute, sharedPageRoute } from './shares/shared.routes.ts'

const tag = 'Dashboards'
const permission = 'dashboards.manage'
const params = { id: 'dashboard' } as const
const problems = { 422: '`unknown_survey`.' }

const listDashboardsRoute = tenantRoute({
  method: 'get',
  path: '/dashboards',
  operationId: 'listDashboards',
  summary: 'List dashboards, newest first',
  tag,
  query: DashboardQuery,
  response: { status: 200, schema: DashboardList },
  handler: (scope, { query }) => listDashboards(scope, query),
})

const createDashboardRoute = tenantRoute({
  method: 'post',
  path: '/dashboards',
  operationId: 'createDashboard',
  summary: 'Create a dashboard',
  tag,
  permission,
  body: CreateDashboard,
  example: {
    name: 'Support',
    period: { days: 90 },
    timezone: 'Europe/Berlin',
    widgets: [
      {
        id: 'csat',
        kind: 'line',
        title: 'Satisfaction by week',
        query: { source: 'responses', measure: 'csat', interval: 'week', compare: 'previous' },
        layout: { x: 0, y: 0, w: 12, h: 4 },
      },
    ],
  },
  audit: ['dashboard.create'],
  response: { status: 201, schema: Dashboard, headers: ['ETag'] },
  problems,
  handler: async (scope, { body, c }) => tagged(c, await createDashboard(scope, body)),
})

const getDashboardRoute = tenantRoute({
  method: 'get',
  path: '/dashboards/:id',
  operationId: 'getDashboard',
  summary: 'Read a dashboard',
  tag,
  params,
  response: { status: 200, schema: Dashboard, headers: ['ETag'] },
  handler: async (scope, { params: { id }, c }) => tagged(c, await getDashboard(scope, id)),
})

const updateDashboardRoute = tenantRoute({
  method: 'patch',
  path: '/dashboards/:id',
  operationId: 'updateDashboard',
  summary: 'Change a dashboard',
  description: '`widgets` replaces all widgets.',
  tag,
  permission,
  params,
  headers: ['if-match'],
  body: UpdateDashboard,
  example: { name: 'Support, last quarter', period: { from: '2026-07-01', to: '2026-09-30' } },
  audit: ['dashboard.update'],
  response: { status: 200, schema: Dashboard, headers: ['ETag'] },
  problems: { ...STALE, ...problems },
  handler: async (scope, { params: { id }, body, c }) =>
    tagged(c, await updateDashboard(scope, id, body, c.req.header('if-match'))),
})

export function createDeleteRoute(uses: DashboardUses[]) {
  return tenantRoute({
    method: 'delete',
    path: '/dashboards/:id',
    operationId: 'deleteDashboard',
    summary: 'Delete a dashboard',
    description: 'Its links stop working.',
    tag,
    permission,
    params,
    headers: ['if-match'],
    audit: ['dashboard.delete'],
    response: { status: 204 },
    problems: { ...STALE, 409: '`built_in`, or `in_use`: `used_by` lists the reports of this dashboard.' },
    handler: (scope, { params: { id }, c }) => deleteDashboard(scope, id, uses, c.req.header('if-match')),
  })
}

const readDashboardDataRoute = tenantRoute({
  method: 'get',
  path: '/dashboards/:id/data',
  operationId: 'getDashboardData',
  summary: 'Read the figures of all widgets as of one moment',
  description:
    'Shares are in per cent. A score or a share of fewer than 5 answers has ' +
    '`enough: false` and no number. Counts always show. The query changes the period, the time zone or the filter for ' +
    'this call alone.',
  tag,
  query: DataQuery,
  params,
  response: { status: 200, schema: DashboardData },
  handler: (scope, { params: { id }, query }) => readDashboardData(scope, id, query),
})

const shareDashboardRoute = tenantRoute({
  method: 'post',
  path: '/dashboards/:id/share',
  operationId: 'shareDashboard',
  summary: 'Make a link to a dashboard for people without an account',
  description: 'These readers see no texts of respondents, and no group of fewer than 5.',
  tag,
  permission,
  params,
  body: CreateShare,
  example: { expires_at: '2027-01-01T00:00:00Z', password: 'correct horse battery' },
  audit: ['dashboard.share'],
  response: { status: 201, schema: CreatedShare },
  problems: { 422: '`expiry_in_the_past`.' },
  handler: (scope, { params: { id }, body }) => shareDashboard(scope, id, body),
})

const revokeShareRoute = tenantRoute({
  method: 'delete',
  path: '/dashboards/:id/share/:sid',
  operationId: 'revokeDashboardShare',
  summary: 'End a link to a dashboard',
  tag,
  permission,
  params: { id: 'dashboard', sid: 'dashboardShare' },
  audit: ['dashboard.unshare'],
  response: { status: 204 },
  handler: (scope, { params: { id, sid } }) => revokeShare(scope, id, sid),
})

const readFiguresRoute = tenantRoute({
  method: 'post',
  path: '/figures',
  operationId: 'readFigures',
  summary: 'Read figures as of one moment, by queries of your own',
  description:
    'The queries are those of widgets. It changes nothing and needs no permission but that of the list that a query ' +
    'counts. Shares are in per cent. A score or a share of fewer than 5 answers has `enough: false` and no number.',
  tag: 'Dashboards',
  body: ReadFigures,
  idempotent: false,
  audit: { none: 'It only reads.' },
  example: {
    period: { days: 30 },
    timezone: 'Europe/Berlin',
    queries: {
      scores: { source: 'responses', measure: 'score', by: ['survey'], compare: 'previous' },
      answers: { source: 'responses', measure: 'count', interval: 'day' },
    },
  },
  response: { status: 200, schema: Figures },
  problems: { 403: '`forbidden`: a query counts a list that needs a permission.', 422: '`unknown_survey`.' },
  handler: (scope, { body }) => answerQueries(scope, body),
})

/** @param uses what other features have that needs a dashboard. */
export function createDashboards(uses: DashboardUses[]): Feature<Route> {
  return {
    name: 'dashboards',
    routes: [
      createDashboardRoute,
      getDashboardRoute,
      listDashboardsRoute,
      readDashboardDataRoute,
      revokeShareRoute,
      shareDashboardRoute,
      updateDashboardRoute,
      createDeleteRoute(uses),
      readFiguresRoute,
      readSharedRoute,
      openSharedRoute,
      sharedPageRoute,
      openSharedPageRoute,
    ],
  }
}
