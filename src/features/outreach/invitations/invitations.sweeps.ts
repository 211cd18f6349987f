import type { Sweep } from '../../../platform/sweeps.ts'
import { removeOldInvitations } from './retention.service.ts'

/** Forgets invitations whose sends are gone, after `RETENTION_SENDS_DAYS`. */
export const oldInvitationsSweep: Sweep = {
  name: 'invitations.retention',
  everySeconds: 3600,
  run: removeOldInvitations,
}
