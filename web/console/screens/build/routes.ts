import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { looksWords } from '../../looks/words.ts'
import { loadWords } from '../../words/words.ts'
import { readBuildState } from './state.ts'
import { buildWords } from './words.ts'

const build = createRoute({
  getParentRoute: () => root,
  path: '/app/surveys/$surveyId/build',
  validateSearch: readBuildState,
  loader: () => Promise.all([loadWords('looks', looksWords), loadWords('build', buildWords)]),
  component: lazyRouteComponent(() => import('./build.tsx'), 'Build'),
})

export const buildRoutes = [build] as const
