import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { noticesWords } from '../../notices/words.ts'
import { loadWords } from '../../words/words.ts'

const notifications = createRoute({
  getParentRoute: () => root,
  path: '/app/notifications',
  loader: () => loadWords('notices', noticesWords),
  component: lazyRouteComponent(() => import('./notifications.tsx'), 'Notifications'),
})

export const notificationsRoutes = [notifications] as const
