import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { readBoardState } from '../../boards/state.ts'
import { figuresWords } from '../../figures/words.ts'
import { ledeWords } from '../../lede/words.ts'
import { loadWords } from '../../words/words.ts'
import { homeWords } from './words.ts'

const home = createRoute({
  getParentRoute: () => root,
  path: '/app/home',
  validateSearch: readBoardState,
  loader: () =>
    Promise.all([loadWords('lede', ledeWords), loadWords('figures', figuresWords), loadWords('home', homeWords)]),
  component: lazyRouteComponent(() => import('./home.tsx'), 'Home'),
})

export const homeRoutes = [home] as const
