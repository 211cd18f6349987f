import type { Sweep } from '../../../platform/work/sweeps.ts'
import { removeExpiredInvitations } from './invitations.service.ts'

export const expiredInvitationsSweep: Sweep = {
  name: 'members.invitations',
  everySeconds: 3600,
  run: (system, { limit }) => removeExpiredInvitations(system, limit),
}
