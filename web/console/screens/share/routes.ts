import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { listWords } from '../../list/words.ts'
import { loadWords } from '../../words/words.ts'
import { readShareState } from './state.ts'
import { shareWords } from './words.ts'

const share = createRoute({
  getParentRoute: () => root,
  path: '/app/surveys/$surveyId/share',
  validateSearch: readShareState,
  loader: () => Promise.all([loadWords('list', listWords), loadWords('share', shareWords)]),
  component: lazyRouteComponent(() => import('./share.tsx'), 'Share'),
})

export const shareRoutes = [share] as const
