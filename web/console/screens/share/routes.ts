import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'
import { readShareState } from './state.ts'

const share = createRoute({
  getParentRoute: () => root,
  path: '/app/surveys/$surveyId/share',
  validateSearch: readShareState,
  loader: () => loadTexts('list', 'share'),
  component: lazyRouteComponent(() => import('./share.tsx'), 'Share'),
})

export const shareRoutes = [share] as const
