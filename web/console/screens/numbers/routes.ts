import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { listWords } from '../../list/words.ts'
import { loadWords } from '../../words/words.ts'
import { numbersWords } from './words.ts'

const loadNumbers = () => Promise.all([loadWords('list', listWords), loadWords('numbers', numbersWords)])

const numbers = createRoute({
  getParentRoute: () => root,
  path: '/app/numbers',
  loader: loadNumbers,
  component: lazyRouteComponent(() => import('./numbers.tsx'), 'Numbers'),
})

const number = createRoute({
  getParentRoute: () => root,
  path: '/app/numbers/$numberId',
  loader: loadNumbers,
  component: lazyRouteComponent(() => import('./number.tsx'), 'NumberDetail'),
})

export const numbersRoutes = [numbers, number] as const
