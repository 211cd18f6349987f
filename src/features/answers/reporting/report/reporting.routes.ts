import { tenantRoute, type Route } from '../../../../http/routes/route.ts'
import { Report, ReportQuery, RetiredExport } from './reporting.schema.ts'
import { exportRetired, readReport } from './reporting.service.ts'
import type { Feature } from '../../../../platform/feature.ts'
import type { Sweep } from '../../../../platform/work/sweeps.ts'
import { rollDueSurveys } from '../rollups/rollups.service.ts'

const tag = 'Reports'

const surveyReportRoute = tenantRoute({
  method: 'get',
  path: '/surveys/:id/report',
  operationId: 'getSurveyReport',
  summary: 'Show counts, metrics, questions, a trend and the previous period',
  description:
    'A response counts at its completion time, or at its start while it is unfinished. Quarantined and deleted ' +
    'responses appear only in the counts by state.',
  tag,
  params: { id: 'survey' },
  query: ReportQuery,
  response: { status: 200, schema: Report },
  handler: (scope, { params: { id }, query }) => readReport(scope, id, query),
})

const surveyExportRoute = tenantRoute({
  method: 'get',
  path: '/surveys/:id/export',
  operationId: 'exportSurvey',
  summary: 'Retired: use export runs',
  tag,
  params: { id: 'text' },
  response: {
    status: 410,
    schema: RetiredExport,
    description: '`export_retired`, with `successor`: the request to make instead.',
    contentType: 'application/problem+json',
  },
  handler: async () => {
    throw exportRetired()
  },
})

/** Makes rollups for surveys with many responses, one quarter of an hour at a time. */
export const rollupSweep: Sweep = { name: 'reports.rollup', everySeconds: 30, run: rollDueSurveys }

export const reporting = {
  name: 'reporting',
  routes: [surveyExportRoute, surveyReportRoute],
  sweeps: [rollupSweep],
  // A mark goes when its quarter is counted again, rollups and facts when their last response is gone.
  retention: [{ tables: ['report_marks', 'report_rollups', 'report_facts'], sweep: rollupSweep }],
} satisfies Feature<Route>
