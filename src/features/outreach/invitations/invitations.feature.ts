import type { Feature } from '../../../platform/feature.ts'
import {
  cancelInvitationRoute,
  explainInvitationRoute,
  getInvitationRoute,
  inviteByCsvRoute,
  inviteRoute,
  listInvitationsRoute,
} from './invitations.routes.ts'
import { oldInvitationsSweep, segmentInvitationsSweep } from './invitations.sweeps.ts'

export const invitations = {
  name: 'invitations',
  routes: [
    inviteRoute,
    inviteByCsvRoute,
    listInvitationsRoute,
    getInvitationRoute,
    cancelInvitationRoute,
    explainInvitationRoute,
  ],
  sweeps: [oldInvitationsSweep, segmentInvitationsSweep],
  retention: [{ tables: ['invitations'], sweep: oldInvitationsSweep }],
} satisfies Feature
