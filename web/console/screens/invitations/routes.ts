import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'
import { readNewInvitation } from './state.ts'

const loadInvitations = () => loadTexts('list', 'invitations')

const invitations = createRoute({
  getParentRoute: () => root,
  path: '/app/invitations',
  loader: loadInvitations,
  component: lazyRouteComponent(() => import('./invitations.tsx'), 'Invitations'),
})

const newInvitation = createRoute({
  getParentRoute: () => root,
  path: '/app/invitations/new',
  validateSearch: readNewInvitation,
  loader: loadInvitations,
  component: lazyRouteComponent(() => import('./new-invitation.tsx'), 'NewInvitation'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/app/invitations/$invitationId',
  loader: loadInvitations,
  component: lazyRouteComponent(() => import('./invitation.tsx'), 'InvitationDetail'),
})

export const invitationsRoutes = [invitations, newInvitation, invitation] as const
