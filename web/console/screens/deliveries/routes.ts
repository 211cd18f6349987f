import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readListState } from '../../app/list-state.ts'
import { root } from '../../app/root-route.ts'
import { endpointsWords } from '../../endpoints/words.ts'
import { listWords } from '../../list/words.ts'
import { loadWords } from '../../words/words.ts'
import { deliveriesWords } from './words.ts'

const deliveries = createRoute({
  getParentRoute: () => root,
  path: '/app/deliveries',
  validateSearch: readListState,
  loader: () =>
    Promise.all([
      loadWords('list', listWords),
      loadWords('endpoints', endpointsWords),
      loadWords('deliveries', deliveriesWords),
    ]),
  component: lazyRouteComponent(() => import('./deliveries.tsx'), 'Deliveries'),
})

const delivery = createRoute({
  getParentRoute: () => root,
  path: '/app/deliveries/$deliveryId',
  loader: () =>
    Promise.all([
      loadWords('list', listWords),
      loadWords('endpoints', endpointsWords),
      loadWords('deliveries', deliveriesWords),
    ]),
  component: lazyRouteComponent(() => import('./delivery.tsx'), 'Delivery'),
})

export const deliveriesRoutes = [deliveries, delivery] as const
