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
