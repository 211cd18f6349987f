import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'
import { readAlertsState } from './steps.ts'

const loadAlerts = () => loadTexts('list', 'alerts')

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
