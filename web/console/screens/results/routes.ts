import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { figuresWords } from '../../figures/words.ts'
import { ledeWords } from '../../lede/words.ts'
import { listWords } from '../../list/words.ts'
import { loadWords } from '../../words/words.ts'
import { readResultsState } from './state.ts'
import { resultsWords } from './words.ts'

const results = createRoute({
  getParentRoute: () => root,
  path: '/app/surveys/$surveyId/results',
  validateSearch: readResultsState,
  loader: () =>
    Promise.all([
      loadWords('list', listWords),
      loadWords('lede', ledeWords),
      loadWords('figures', figuresWords),
      loadWords('results', resultsWords),
    ]),
  component: lazyRouteComponent(() => import('./results.tsx'), 'Results'),
})

export const resultsRoutes = [results] as const
