import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readListState } from '../../app/list-state.ts'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'

const leads = createRoute({
  getParentRoute: () => root,
  path: '/app/leads',
  validateSearch: readListState,
  loader: () => loadTexts('list', 'leads'),
  component: lazyRouteComponent(() => import('./leads.tsx'), 'Leads'),
})

const lead = createRoute({
  getParentRoute: () => leads,
  path: '$leadId',
  component: lazyRouteComponent(() => import('./lead.tsx'), 'LeadDetail'),
})

export const leadsRoutes = [leads.addChildren([lead])] as const
