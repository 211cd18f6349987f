import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/app/webhooks',
  loader: () => loadTexts('list', 'endpoints', 'webhooks'),
  component: lazyRouteComponent(() => import('./webhooks.tsx'), 'Webhooks'),
})

const webhook = createRoute({
  getParentRoute: () => root,
  path: '/app/webhooks/$webhookId',
  loader: () => loadTexts('list', 'endpoints', 'webhooks'),
  component: lazyRouteComponent(() => import('./webhook.tsx'), 'Webhook'),
})

export const webhooksRoutes = [webhooks, webhook] as const
