import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { figuresWords } from '../../figures/words.ts'
import { listWords } from '../../list/words.ts'
import { startersWords } from '../../starters/words.ts'
import { loadWords } from '../../words/words.ts'
import { readSurveysState } from './state.ts'
import { surveysWords } from './words.ts'

const surveys = createRoute({
  getParentRoute: () => root,
  path: '/app/surveys',
  validateSearch: readSurveysState,
  loader: () =>
    Promise.all([
      loadWords('list', listWords),
      loadWords('figures', figuresWords),
      loadWords('starters', startersWords),
      loadWords('surveys', surveysWords),
    ]),
  component: lazyRouteComponent(() => import('./surveys.tsx'), 'Surveys'),
})

export const surveysRoutes = [surveys] as const
