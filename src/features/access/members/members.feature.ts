import type { Feature } from '../../../platform/feature.ts'
import { getInvitationPageRoute, postInvitationPageRoute } from './invitation-page.routes.ts'
import {
  acceptInvitationRoute,
  createInviteMemberRoute,
  listInvitationsRoute,
  linkInvitationRoute,
  listMembersRoute,
  removeMemberRoute,
  updateMemberRoute,
  withdrawInvitationRoute,
} from './members.routes.ts'
import { type RefuseAddress, removeExpiredInvitations } from './invitations.service.ts'
import { personal } from './personal.service.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'

export const expiredInvitationsSweep: Sweep = {
  name: 'members.invitations',
  everySeconds: 3600,
  run: (system, { limit }) => removeExpiredInvitations(system, limit),
}

/** @param refuse throws Problem 409 for an erased address. */
export function createMembers(refuse: RefuseAddress) {
  return {
    name: 'members',
    routes: [
      listMembersRoute,
      createInviteMemberRoute(refuse),
      listInvitationsRoute,
      linkInvitationRoute,
      withdrawInvitationRoute,
      updateMemberRoute,
      removeMemberRoute,
      acceptInvitationRoute,
      getInvitationPageRoute,
      postInvitationPageRoute,
    ],
    sweeps: [expiredInvitationsSweep],
    retention: [{ tables: ['member_invitations'], sweep: expiredInvitationsSweep }],
    personal,
  } satisfies Feature
}
