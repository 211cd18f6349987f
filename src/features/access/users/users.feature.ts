import type { Feature } from '../../../platform/feature.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { settleProofs } from './proof.service.ts'
import { hasSettling } from './users.store.ts'

export const settledProofsSweep: Sweep = {
  name: 'users.settle',
  everySeconds: 300,
  isDue: hasSettling,
  run: (system, { limit }) => settleProofs(system, limit),
}

export const users = {
  name: 'users',
  sweeps: [settledProofsSweep],
} satisfies Feature
