import type { HeavyRequest } from './heavy-requests.ts'

export interface DashboardTargets {
  /** Of a shared dashboard at its limits. */
  shareToken: string
  /** A report on it. */
  reportId: string
}

/** A dashboard of as many points as one may have, shared and in a report: 30 tables of 990 days. */
export async function makeDashboard(
  post: (path: string, body: object) => Promise<{ id: string; token: string }>,
  userId: string,
): Promise<DashboardTargets> {
  const query = { source: 'responses', measure: 'count', interval: 'day', period: { days: 990 } }
  const widgets = Array.from({ length: 30 }, (_, n) => ({
    id: `w${n}`,
    kind: 'table',
    title: 'x'.repeat(100),
    query,
    layout: { x: 0, y: n, w: 4, h: 1 },
  }))
  const { id } = await post('/v1/dashboards', { name: 'Years', widgets })
  const { token } = await post(`/v1/dashboards/${id}/share`, {})
  const report = { name: 'Years', dashboard_id: id, recipients: [userId], format: 'pdf' }
  return { shareToken: token, reportId: (await post('/v1/reports', report)).id }
}

/** Visits of such a dashboard at the same time. */
export function heavyDashboards({ shareToken, reportId }: DashboardTargets): HeavyRequest[] {
  const page = `/public/d/${shareToken}`
  return [
    { name: 'a run of a report of 29,700 points', method: 'POST', path: `/v1/reports/${reportId}/run` },
    { name: 'pages of 29,700 points', method: 'GET', path: page, parallel: 10 },
    { name: 'pages of 29,700 points, asked for their head', method: 'HEAD', path: page, parallel: 10 },
    { name: 'data of 29,700 points', method: 'GET', path: `/public/dashboards/${shareToken}`, parallel: 10 },
  ]
}
