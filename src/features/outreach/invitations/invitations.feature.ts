import type { Feature } from '../../../platform/feature.ts'
import {
  cancelInvitationRoute,
  explainInvitationRoute,
  getInvitationRoute,
  inviteByCsvRoute,
  inviteRoute,
  listInvitationsRoute,
  listSkippedRoute,
  readAskingRoute,
} from './invitations.routes.ts'
import { personal } from './skips.service.ts'
import { fieldsOfSends } from './invitations.store.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { removeOldInvitations } from './invitations.service.ts'
import { continueInvitations, hasDueInvitations } from './segment-invitations.service.ts'

/** Decides the people of segments. A new invitation wakes it. */
export const segmentInvitationsSweep: Sweep = {
  name: 'invitations.segments',
  everySeconds: 300,
  isDue: hasDueInvitations,
  run: continueInvitations,
}

/** Removes invitations without sends after `RETENTION_SENDS_DAYS`. */
export const oldInvitationsSweep: Sweep = {
  name: 'invitations.retention',
  everySeconds: 3600,
  run: removeOldInvitations,
}

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
    readAskingRoute,
  ],
  fields: { sends: fieldsOfSends },
  sweeps: [oldInvitationsSweep, segmentInvitationsSweep],
  personal,
  retention: [{ tables: ['invitations', 'invitation_skips'], sweep: oldInvitationsSweep }],
} satisfies Feature
