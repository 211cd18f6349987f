import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readListState } from '../../app/list-state.ts'
import { root } from '../../app/root-route.ts'
import { listWords } from '../../list/words.ts'
import { loadWords } from '../../words/words.ts'
import { leadsWords } from './words.ts'

const leads = createRoute({
  getParentRoute: () => root,
  path: '/app/leads',
  validateSearch: readListState,
  loader: () => Promise.all([loadWords('list', listWords), loadWords('leads', leadsWords)]),
  component: lazyRouteComponent(() => import('./leads.tsx'), 'Leads'),
})

const lead = createRoute({
  getParentRoute: () => leads,
  path: '$leadId',
  component: lazyRouteComponent(() => import('./lead.tsx'), 'LeadDetail'),
})

export const leadsRoutes = [leads.addChildren([lead])] as const
