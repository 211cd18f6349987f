import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'
import { readResultsState } from './state.ts'

const results = createRoute({
  getParentRoute: () => root,
  path: '/app/surveys/$surveyId/results',
  validateSearch: readResultsState,
  loader: () => loadTexts('list', 'lede', 'figures', 'results'),
  component: lazyRouteComponent(() => import('./results.tsx'), 'Results'),
})

export const resultsRoutes = [results] as const
