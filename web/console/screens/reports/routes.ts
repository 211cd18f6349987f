import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { listWords } from '../../list/words.ts'
import { schedulesWords } from '../../schedules/words.ts'
import { loadWords } from '../../words/words.ts'
import { reportsWords } from './words.ts'

const loadReports = () =>
  Promise.all([
    loadWords('list', listWords),
    loadWords('schedules', schedulesWords),
    loadWords('reports', reportsWords),
  ])

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
