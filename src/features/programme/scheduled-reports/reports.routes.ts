import { spend } from '../../../http/limits/rate-limit.ts'
import { PageQuery } from '../../../http/routes/pagination.ts'
import { STALE, tagged } from '../../../http/routes/headers.ts'
import { tenantRoute } from '../../../http/routes/route.ts'
import {
  CreateReport,
  DashboardReport,
  ReportList,
  ReportListQuery,
  ReportRun,
  ReportRunList,
  UpdateReport,
} from './reports.schema.ts'
import { createReport, deleteReport, getReport, listReports, updateReport } from './reports.service.ts'
import { getRun, listRuns, readDocument, startRun } from './runs.service.ts'

const tag = 'Scheduled reports'
const permission = 'reports.manage'
const params = { id: 'report' } as const
const runParams = { id: 'report', rid: 'reportRun' } as const
const problems = { 422: '`unknown_dashboard` or `unknown_member`.' }

export const listReportsRoute = tenantRoute({
  method: 'get',
  path: '/reports',
  operationId: 'listReports',
  summary: 'List scheduled reports, newest first',
  tag,
  query: ReportListQuery,
  response: { status: 200, schema: ReportList },
  handler: (scope, { query }) => listReports(scope, query),
})

export const createReportRoute = tenantRoute({
  method: 'post',
  path: '/reports',
  operationId: 'createReport',
  summary: 'Mail a dashboard to members on a schedule',
  description: 'A mail has no texts of respondents, and no group of fewer than 5.',
  tag,
  permission,
  body: CreateReport,
  example: {
    name: 'Monday figures',
    dashboard_id: 'dsh_01jqe5v0k8e9r9d3z2m6h7t4xw',
    schedule: { cron: '0 8 * * 1', timezone: 'Europe/Berlin' },
    recipients: ['usr_01jqe5v0k8e9r9d3z2m6h7t4xw'],
    format: 'pdf',
  },
  audit: ['report.create'],
  response: { status: 201, schema: DashboardReport, headers: ['ETag'] },
  problems,
  handler: async (scope, { body, c }) => tagged(c, await createReport(scope, body)),
})

export const getReportRoute = tenantRoute({
  method: 'get',
  path: '/reports/:id',
  operationId: 'getReport',
  summary: 'Read a scheduled report',
  tag,
  params,
  response: { status: 200, schema: DashboardReport, headers: ['ETag'] },
  handler: async (scope, { params: { id }, c }) => tagged(c, await getReport(scope, id)),
})

export const updateReportRoute = tenantRoute({
  method: 'patch',
  path: '/reports/:id',
  operationId: 'updateReport',
  summary: 'Change a scheduled report',
  description:
    'Its schedule runs as its maker. If the maker has left or lacks `reports.manage`, it pauses and the holders of ' +
    '`reports.manage` get a mail. A change of a report that is on makes the caller its maker, and ends a pause.',
  tag,
  permission,
  params,
  headers: ['if-match'],
  body: UpdateReport,
  example: { enabled: false },
  audit: ['report.update'],
  response: { status: 200, schema: DashboardReport, headers: ['ETag'] },
  problems: { ...STALE, ...problems },
  handler: async (scope, { params: { id }, body, c }) =>
    tagged(c, await updateReport(scope, id, body, c.req.header('if-match'))),
})

export const deleteReportRoute = tenantRoute({
  method: 'delete',
  path: '/reports/:id',
  operationId: 'deleteReport',
  summary: 'Delete a scheduled report with its runs',
  tag,
  permission,
  params,
  headers: ['if-match'],
  audit: ['report.delete'],
  response: { status: 204 },
  problems: STALE,
  handler: (scope, { params: { id }, c }) => deleteReport(scope, id, c.req.header('if-match')),
})

export const runReportRoute = tenantRoute({
  method: 'post',
  path: '/reports/:id/run',
  operationId: 'runReport',
  summary: 'Make and mail a report now',
  description: 'At most 10 a minute for a workspace.',
  tag,
  permission,
  params,
  audit: ['report.run'],
  response: { status: 202, schema: ReportRun },
  async handler(scope, { params: { id }, limiters }) {
    await spend(limiters.reportRun, scope.tenantId)
    return startRun(scope, id)
  },
})

export const listReportRunsRoute = tenantRoute({
  method: 'get',
  path: '/reports/:id/runs',
  operationId: 'listReportRuns',
  summary: 'List the runs of a report, newest first',
  tag,
  params,
  query: PageQuery.strict(),
  response: { status: 200, schema: ReportRunList },
  handler: (scope, { params: { id }, query }) => listRuns(scope, id, query),
})

export const getReportRunRoute = tenantRoute({
  method: 'get',
  path: '/reports/:id/runs/:rid',
  operationId: 'getReportRun',
  summary: 'Read a run and its progress',
  tag,
  params: runParams,
  response: { status: 200, schema: ReportRun },
  handler: (scope, { params: { id, rid } }) => getRun(scope, id, rid),
})

export const readReportDocumentRoute = tenantRoute({
  method: 'get',
  path: '/reports/:id/runs/:rid/document',
  operationId: 'getReportDocument',
  summary: 'Read the document of a run',
  description: 'HTML or PDF, by the `format` of the report. It is kept for 90 days.',
  tag,
  params: runParams,
  response: { status: 200, contentType: 'text/html' },
  problems: {
    409: '`not_ready`: the document is not made yet.',
    410: '`report_erased`: it named a person who was erased.',
  },
  async handler(scope, { params: { id, rid }, c }) {
    const { bytes, type, name } = await readDocument(scope, id, rid)
    return c.body(bytes, 200, {
      'Content-Type': type,
      'Content-Disposition': `inline; filename="${name}"`,
      'Content-Security-Policy': "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
      'Cache-Control': 'private, no-store',
    })
  },
})
