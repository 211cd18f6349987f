import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { endpointsWords } from '../../endpoints/words.ts'
import { startersWords } from '../../starters/words.ts'
import { loadWords } from '../../words/words.ts'
import { readFirstRun } from './state.ts'
import { firstRunWords } from './words.ts'

const welcome = createRoute({
  getParentRoute: () => root,
  path: '/app/welcome',
  validateSearch: readFirstRun,
  loader: () =>
    Promise.all([
      loadWords('first-run', firstRunWords),
      loadWords('starters', startersWords),
      loadWords('endpoints', endpointsWords),
    ]),
  component: lazyRouteComponent(() => import('./first-run.tsx'), 'FirstRun'),
})

export const firstRunRoutes = [welcome] as const
