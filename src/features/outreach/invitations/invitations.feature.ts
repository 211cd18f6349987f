import type { Feature } from '../../../platform/feature.ts'
import {
  cancelInvitationRoute,
  explainInvitationRoute,
  getInvitationRoute,
  inviteByCsvRoute,
  inviteRoute,
  listInvitationsRoute,
  listSkippedRoute,
} from './invitations.routes.ts'
import { personal } from './personal.service.ts'
import { fieldsOfSends } from './invitations.store.ts'
import { oldInvitationsSweep, segmentInvitationsSweep } from './invitations.sweeps.ts'

export const invitations = {
  name: 'invitations',
  routes: [
    inviteRoute,
    inviteByCsvRoute,
    listInvitationsRoute,
    getInvitationRoute,
    cancelInvitationRoute,
    listSkippedRoute,
    explainInvitationRoute,
  ],
  fields: { sends: fieldsOfSends },
  sweeps: [oldInvitationsSweep, segmentInvitationsSweep],
  personal,
  retention: [{ tables: ['invitations', 'invitation_skips'], sweep: oldInvitationsSweep }],
} satisfies Feature
