import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'

const badges = createRoute({
  getParentRoute: () => root,
  path: '/app/badges',
  validateSearch: ({ badge }: Record<string, unknown>): { badge?: string } =>
    typeof badge === 'string' && badge !== '' ? { badge } : {},
  loader: () => loadTexts('list', 'badges'),
  component: lazyRouteComponent(() => import('./badges.tsx'), 'Badges'),
})

export const badgesRoutes = [badges] as const
