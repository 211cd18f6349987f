import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { endpointsWords } from '../../endpoints/words.ts'
import { figuresWords } from '../../figures/words.ts'
import { ledeWords } from '../../lede/words.ts'
import { listWords } from '../../list/words.ts'
import { loadWords } from '../../words/words.ts'
import { readDashboardState } from './state.ts'
import { dashboardsWords } from './words.ts'

const dashboards = createRoute({
  getParentRoute: () => root,
  path: '/app/dashboards',
  loader: () => Promise.all([loadWords('list', listWords), loadWords('dashboards', dashboardsWords)]),
  component: lazyRouteComponent(() => import('./dashboards.tsx'), 'Dashboards'),
})

const dashboard = createRoute({
  getParentRoute: () => root,
  path: '/app/dashboards/$dashboardId',
  validateSearch: readDashboardState,
  loader: () =>
    Promise.all([
      loadWords('list', listWords),
      loadWords('endpoints', endpointsWords),
      loadWords('lede', ledeWords),
      loadWords('figures', figuresWords),
      loadWords('dashboards', dashboardsWords),
    ]),
  component: lazyRouteComponent(() => import('./dashboard.tsx'), 'DashboardScreen'),
})

export const dashboardsRoutes = [dashboards, dashboard] as const
