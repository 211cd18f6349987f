import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'
import { readVerbatimState } from './state.ts'

const verbatim = createRoute({
  getParentRoute: () => root,
  path: '/app/verbatim',
  validateSearch: readVerbatimState,
  loader: () => loadTexts('list', 'lede', 'figures', 'verbatim'),
  component: lazyRouteComponent(() => import('./verbatim.tsx'), 'Verbatim'),
})

export const verbatimRoutes = [verbatim] as const
