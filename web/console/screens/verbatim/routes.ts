import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { figuresWords } from '../../figures/words.ts'
import { ledeWords } from '../../lede/words.ts'
import { listWords } from '../../list/words.ts'
import { loadWords } from '../../words/words.ts'
import { readVerbatimState } from './state.ts'
import { verbatimWords } from './words.ts'

const verbatim = createRoute({
  getParentRoute: () => root,
  path: '/app/verbatim',
  validateSearch: readVerbatimState,
  loader: () =>
    Promise.all([
      loadWords('list', listWords),
      loadWords('lede', ledeWords),
      loadWords('figures', figuresWords),
      loadWords('verbatim', verbatimWords),
    ]),
  component: lazyRouteComponent(() => import('./verbatim.tsx'), 'Verbatim'),
})

export const verbatimRoutes = [verbatim] as const
