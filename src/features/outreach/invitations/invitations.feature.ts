import type { Feature } from '../../../platform/feature.ts'
import {
  cancelInvitationRoute,
  explainInvitationRoute,
  getInvitationRoute,
  inviteByCsvRoute,
  inviteRoute,
  listInvitationsRoute,
} from './invitations.routes.ts'
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
    explainInvitationRoute,
  ],
  fields: { sends: fieldsOfSends },
  sweeps: [oldInvitationsSweep, segmentInvitationsSweep],
  retention: [{ tables: ['invitations'], sweep: oldInvitationsSweep }],
} satisfies Feature
