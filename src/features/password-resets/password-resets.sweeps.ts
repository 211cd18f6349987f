import type { Sweep } from '../../platform/sweeps.ts'
import { mailRequestedResets } from './password-resets.service.ts'

export const mailResetsSweep: Sweep = {
  name: 'password-resets.mail',
  everySeconds: 5,
  run: (system, { limit }) => mailRequestedResets(system, limit),
}
