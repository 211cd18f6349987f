import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'

const loadNumbers = () => loadTexts('list', 'numbers')

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
