import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'

const loadReports = () => loadTexts('list', 'schedules', 'reports')

const reports = createRoute({
  getParentRoute: () => root,
  path: '/app/reports',
  loader: loadReports,
  component: lazyRouteComponent(() => import('./reports.tsx'), 'Reports'),
})

const report = createRoute({
  getParentRoute: () => root,
  path: '/app/reports/$reportId',
  validateSearch: ({ run }: Record<string, unknown>): { run?: string } =>
    typeof run === 'string' && run !== '' ? { run } : {},
  loader: loadReports,
  component: lazyRouteComponent(() => import('./report.tsx'), 'ReportScreen'),
})

export const reportsRoutes = [reports, report] as const
