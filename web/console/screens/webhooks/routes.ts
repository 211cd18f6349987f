import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { endpointsWords } from '../../endpoints/words.ts'
import { listWords } from '../../list/words.ts'
import { loadWords } from '../../words/words.ts'
import { webhooksWords } from './words.ts'

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/app/webhooks',
  loader: () =>
    Promise.all([
      loadWords('list', listWords),
      loadWords('endpoints', endpointsWords),
      loadWords('webhooks', webhooksWords),
    ]),
  component: lazyRouteComponent(() => import('./webhooks.tsx'), 'Webhooks'),
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
  component: lazyRouteComponent(() => import('./webhook.tsx'), 'Webhook'),
})

export const webhooksRoutes = [webhooks, webhook] as const
