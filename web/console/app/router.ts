import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { agentsRoutes } from '../screens/agents/routes.ts'
import { alertsRoutes } from '../screens/alerts/routes.ts'
import { badgesRoutes } from '../screens/badges/routes.ts'
import { buildRoutes } from '../screens/build/routes.ts'
import { dashboardsRoutes } from '../screens/dashboards/routes.ts'
import { deliveriesRoutes } from '../screens/deliveries/routes.ts'
import { exportsRoutes } from '../screens/exports/routes.ts'
import { firstRunRoutes } from '../screens/first-run/routes.ts'
import { homeRoutes } from '../screens/home/routes.ts'
import { invitationsRoutes } from '../screens/invitations/routes.ts'
import { leadsRoutes } from '../screens/leads/routes.ts'
import { notificationsRoutes } from '../screens/notices/routes.ts'
import { numbersRoutes } from '../screens/numbers/routes.ts'
import { peopleRoutes } from '../screens/people/routes.ts'
import { reportsRoutes } from '../screens/reports/routes.ts'
import { responsesRoutes } from '../screens/responses/routes.ts'
import { resultsRoutes } from '../screens/results/routes.ts'
import { segmentsRoutes } from '../screens/segments/routes.ts'
import { settingsRoutes } from '../screens/settings/routes.ts'
import { shareRoutes } from '../screens/share/routes.ts'
import { shortLinksRoutes } from '../screens/short-links/routes.ts'
import { surveysRoutes } from '../screens/surveys/routes.ts'
import { templatesRoutes } from '../screens/templates/routes.ts'
import { topicsRoutes } from '../screens/topics/routes.ts'
import { verbatimRoutes } from '../screens/verbatim/routes.ts'
import { webhooksRoutes } from '../screens/webhooks/routes.ts'
import { root } from './root-route.ts'

const start = createRoute({
  getParentRoute: () => root,
  path: '/app',
  beforeLoad: () => {
    throw redirect({ to: '/app/home', replace: true })
  },
})

export const router = createRouter({
  routeTree: root.addChildren([
    start,
    ...agentsRoutes,
    ...alertsRoutes,
    ...badgesRoutes,
    ...buildRoutes,
    ...dashboardsRoutes,
    ...deliveriesRoutes,
    ...exportsRoutes,
    ...firstRunRoutes,
    ...homeRoutes,
    ...invitationsRoutes,
    ...leadsRoutes,
    ...notificationsRoutes,
    ...numbersRoutes,
    ...peopleRoutes,
    ...reportsRoutes,
    ...responsesRoutes,
    ...resultsRoutes,
    ...segmentsRoutes,
    ...settingsRoutes,
    ...shareRoutes,
    ...shortLinksRoutes,
    ...surveysRoutes,
    ...templatesRoutes,
    ...topicsRoutes,
    ...verbatimRoutes,
    ...webhooksRoutes,
  ]),
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
