import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'
import { readBoardState } from '../../boards/stored.ts'

const dashboards = createRoute({
  getParentRoute: () => root,
  path: '/app/dashboards',
  loader: () => loadTexts('list', 'dashboards'),
  component: lazyRouteComponent(() => import('./dashboards.tsx'), 'Dashboards'),
})

const dashboard = createRoute({
  getParentRoute: () => root,
  path: '/app/dashboards/$dashboardId',
  validateSearch: readBoardState,
  loader: () => loadTexts('list', 'endpoints', 'lede', 'figures', 'dashboards'),
  component: lazyRouteComponent(() => import('./dashboard.tsx'), 'DashboardScreen'),
})

export const dashboardsRoutes = [dashboards, dashboard] as const
