import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { figuresWords } from '../../figures/words.ts'
import { loadWords } from '../../words/words.ts'
import { topicsWords } from './words.ts'

const topics = createRoute({
  getParentRoute: () => root,
  path: '/app/topics',
  loader: () => Promise.all([loadWords('figures', figuresWords), loadWords('topics', topicsWords)]),
  component: lazyRouteComponent(() => import('./topics.tsx'), 'Topics'),
})

export const topicsRoutes = [topics] as const
