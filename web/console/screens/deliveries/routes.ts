import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readListState } from '../../app/list-state.ts'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'

const deliveries = createRoute({
  getParentRoute: () => root,
  path: '/app/deliveries',
  validateSearch: readListState,
  loader: () => loadTexts('list', 'endpoints', 'figures', 'deliveries'),
  component: lazyRouteComponent(() => import('./deliveries.tsx'), 'Deliveries'),
})

const delivery = createRoute({
  getParentRoute: () => root,
  path: '/app/deliveries/$deliveryId',
  validateSearch: readListState,
  loader: () => loadTexts('list', 'endpoints', 'deliveries'),
  component: lazyRouteComponent(() => import('./delivery.tsx'), 'Delivery'),
})

export const deliveriesRoutes = [deliveries, delivery] as const
