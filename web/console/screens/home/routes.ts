import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { readBoardState } from '../../boards/stored.ts'
import { loadTexts } from '../../app/texts.ts'

const home = createRoute({
  getParentRoute: () => root,
  path: '/app/home',
  validateSearch: readBoardState,
  loader: () => loadTexts('lede', 'figures', 'home'),
  component: lazyRouteComponent(() => import('./home.tsx'), 'Home'),
})

export const homeRoutes = [home] as const
