import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { listWords } from '../../list/words.ts'
import { loadWords } from '../../words/words.ts'
import { readAlertsState } from './state.ts'
import { alertsWords } from './words.ts'

const loadAlerts = () => Promise.all([loadWords('list', listWords), loadWords('alerts', alertsWords)])

const alerts = createRoute({
  getParentRoute: () => root,
  path: '/app/alerts',
  validateSearch: readAlertsState,
  loader: loadAlerts,
  component: lazyRouteComponent(() => import('./alerts.tsx'), 'Alerts'),
})

const alert = createRoute({
  getParentRoute: () => alerts,
  path: '$alertId',
  component: lazyRouteComponent(() => import('./alert.tsx'), 'AlertDetail'),
})

const alertRules = createRoute({
  getParentRoute: () => root,
  path: '/app/alerts/rules',
  loader: loadAlerts,
  component: lazyRouteComponent(() => import('./rules.tsx'), 'Rules'),
})

const alertRule = createRoute({
  getParentRoute: () => root,
  path: '/app/alerts/rules/$ruleId',
  loader: loadAlerts,
  component: lazyRouteComponent(() => import('./rule.tsx'), 'Rule'),
})

export const alertsRoutes = [alerts.addChildren([alert]), alertRules, alertRule] as const
