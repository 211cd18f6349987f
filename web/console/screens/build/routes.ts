import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'
import { readBuildState } from './state.ts'

const build = createRoute({
  getParentRoute: () => root,
  path: '/app/surveys/$surveyId/build',
  validateSearch: readBuildState,
  loader: () => loadTexts('looks', 'build'),
  component: lazyRouteComponent(() => import('./build.tsx'), 'Build'),
})

export const buildRoutes = [build] as const
