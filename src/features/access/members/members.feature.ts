import type { Feature } from '../../../platform/feature.ts'
import { getInvitationPageRoute, postInvitationPageRoute } from './invitation-page.routes.ts'
import {
  acceptInvitationRoute,
  inviteMemberRoute,
  listInvitationsRoute,
  listMembersRoute,
  removeMemberRoute,
  updateMemberRoute,
  withdrawInvitationRoute,
} from './members.routes.ts'
import { expiredInvitationsSweep } from './members.sweeps.ts'
import { personal } from './personal.service.ts'

export const members = {
  name: 'members',
  routes: [
    listMembersRoute,
    inviteMemberRoute,
    listInvitationsRoute,
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
