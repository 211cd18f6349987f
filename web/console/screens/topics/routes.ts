import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'

const topics = createRoute({
  getParentRoute: () => root,
  path: '/app/topics',
  loader: () => loadTexts('figures', 'topics'),
  component: lazyRouteComponent(() => import('./topics.tsx'), 'Topics'),
})

export const topicsRoutes = [topics] as const
