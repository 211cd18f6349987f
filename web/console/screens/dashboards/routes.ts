import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { endpointsWords } from '../../endpoints/words.ts'
import { figuresWords } from '../../figures/words.ts'
import { ledeWords } from '../../lede/words.ts'
import { listWords } from '../../list/words.ts'
import { loadWords } from '../../words/words.ts'
import { readBoardState } from '../../boards/state.ts'
import { boardsWords } from '../../boards/words.ts'

const dashboards = createRoute({
  getParentRoute: () => root,
  path: '/app/dashboards',
  loader: () => Promise.all([loadWords('list', listWords), loadWords('dashboards', boardsWords)]),
  component: lazyRouteComponent(() => import('./dashboards.tsx'), 'Dashboards'),
})

const dashboard = createRoute({
  getParentRoute: () => root,
  path: '/app/dashboards/$dashboardId',
  validateSearch: readBoardState,
  loader: () =>
    Promise.all([
      loadWords('list', listWords),
      loadWords('endpoints', endpointsWords),
      loadWords('lede', ledeWords),
      loadWords('figures', figuresWords),
      loadWords('dashboards', boardsWords),
    ]),
  component: lazyRouteComponent(() => import('./dashboard.tsx'), 'DashboardScreen'),
})

export const dashboardsRoutes = [dashboards, dashboard] as const
