import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { listWords } from '../../list/words.ts'
import { loadWords } from '../../words/words.ts'
import { badgesWords } from './words.ts'

const badges = createRoute({
  getParentRoute: () => root,
  path: '/app/badges',
  validateSearch: ({ badge }: Record<string, unknown>): { badge?: string } =>
    typeof badge === 'string' && badge !== '' ? { badge } : {},
  loader: () => Promise.all([loadWords('list', listWords), loadWords('badges', badgesWords)]),
  component: lazyRouteComponent(() => import('./badges.tsx'), 'Badges'),
})

export const badgesRoutes = [badges] as const
