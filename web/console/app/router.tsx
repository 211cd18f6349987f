import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { Root } from '../frame/root.tsx'
import { Failure, Missing } from '../frame/failure.tsx'
import { endpointsWords } from '../endpoints/words.ts'
import { listWords } from '../list/words.ts'
import { deliveriesWords } from '../screens/deliveries/words.ts'
import { readFirstRun } from '../screens/first-run/state.ts'
import { firstRunWords } from '../screens/first-run/words.ts'
import { responsesWords } from '../screens/responses/words.ts'
import { surveysWords } from '../screens/surveys/words.ts'
import { webhooksWords } from '../screens/webhooks/words.ts'
import { loadWords } from '../words/words.ts'
import { readListState } from './list-state.ts'

const root = createRootRoute({ component: Root, notFoundComponent: Missing, errorComponent: Failure })

const start = createRoute({
  getParentRoute: () => root,
  path: '/app',
  beforeLoad: () => {
    throw redirect({ to: '/app/surveys', replace: true })
  },
})
const welcome = createRoute({
  getParentRoute: () => root,
  path: '/app/welcome',
  validateSearch: readFirstRun,
  loader: () => Promise.all([loadWords('first-run', firstRunWords), loadWords('endpoints', endpointsWords)]),
  component: lazyRouteComponent(() => import('../screens/first-run/first-run.tsx'), 'FirstRun'),
})
const surveys = createRoute({
  getParentRoute: () => root,
  path: '/app/surveys',
  validateSearch: readListState,
  loader: () => Promise.all([loadWords('list', listWords), loadWords('surveys', surveysWords)]),
  component: lazyRouteComponent(() => import('../screens/surveys/surveys.tsx'), 'Surveys'),
})
const responses = createRoute({
  getParentRoute: () => root,
  path: '/app/responses',
  validateSearch: readListState,
  loader: () => Promise.all([loadWords('list', listWords), loadWords('responses', responsesWords)]),
  component: lazyRouteComponent(() => import('../screens/responses/responses.tsx'), 'Responses'),
})
const response = createRoute({
  getParentRoute: () => responses,
  path: '$responseId',
  component: lazyRouteComponent(() => import('../screens/responses/response.tsx'), 'ResponseDetail'),
})
const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/app/webhooks',
  loader: () =>
    Promise.all([
      loadWords('list', listWords),
      loadWords('endpoints', endpointsWords),
      loadWords('webhooks', webhooksWords),
    ]),
  component: lazyRouteComponent(() => import('../screens/webhooks/webhooks.tsx'), 'Webhooks'),
})
const webhook = createRoute({
  getParentRoute: () => root,
  path: '/app/webhooks/$webhookId',
  loader: () =>
    Promise.all([
      loadWords('list', listWords),
      loadWords('endpoints', endpointsWords),
      loadWords('webhooks', webhooksWords),
    ]),
  component: lazyRouteComponent(() => import('../screens/webhooks/webhook.tsx'), 'Webhook'),
})
const deliveries = createRoute({
  getParentRoute: () => root,
  path: '/app/deliveries',
  validateSearch: readListState,
  loader: () => Promise.all([loadWords('list', listWords), loadWords('deliveries', deliveriesWords)]),
  component: lazyRouteComponent(() => import('../screens/deliveries/deliveries.tsx'), 'Deliveries'),
})
const delivery = createRoute({
  getParentRoute: () => root,
  path: '/app/deliveries/$deliveryId',
  loader: () => Promise.all([loadWords('list', listWords), loadWords('deliveries', deliveriesWords)]),
  component: lazyRouteComponent(() => import('../screens/deliveries/delivery.tsx'), 'Delivery'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    start,
    welcome,
    surveys,
    responses.addChildren([response]),
    webhooks,
    webhook,
    deliveries,
    delivery,
  ]),
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
