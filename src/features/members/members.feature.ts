import type { Feature } from '../../platform/feature.ts'
import {
  acceptInvitationRoute,
  inviteMemberRoute,
  listInvitationsRoute,
  listMembersRoute,
  removeMemberRoute,
  updateMemberRoute,
  withdrawInvitationRoute,
} from './members.routes.ts'

export const members = {
  name: 'members',
  routes: [listMembersRoute, inviteMemberRoute, listInvitationsRoute, withdrawInvitationRoute, updateMemberRoute, removeMemberRoute, acceptInvitationRoute],
} satisfies Feature
