import type { Sweep } from '../../../platform/sweeps.ts'
import { settleProofs } from './proof.service.ts'

export const settledProofsSweep: Sweep = {
  name: 'users.settle',
  everySeconds: 15,
  run: (system, { limit }) => settleProofs(system, limit),
}
