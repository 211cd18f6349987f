import type { Sweep } from '../../../platform/work/sweeps.ts'
import { mailRequestedResets } from './password-resets.service.ts'
import { hasDueRequests } from './password-resets.store.ts'

export const mailResetsSweep: Sweep = {
  name: 'password-resets.mail',
  everySeconds: 300,
  isDue: hasDueRequests,
  run: (system, { limit }) => mailRequestedResets(system, limit),
}
