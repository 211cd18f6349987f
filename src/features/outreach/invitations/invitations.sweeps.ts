import type { Sweep } from '../../../platform/sweeps.ts'
import { removeOldInvitations } from './retention.service.ts'

/** Removes invitations without sends after `RETENTION_SENDS_DAYS`. */
export const oldInvitationsSweep: Sweep = {
  name: 'invitations.retention',
  everySeconds: 3600,
  run: removeOldInvitations,
}
