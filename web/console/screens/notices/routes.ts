import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'

const notifications = createRoute({
  getParentRoute: () => root,
  path: '/app/notifications',
  loader: () => loadTexts('notices'),
  component: lazyRouteComponent(() => import('./notifications.tsx'), 'Notifications'),
})

export const notificationsRoutes = [notifications] as const
