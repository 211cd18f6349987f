import type { Feature } from '../../../platform/feature.ts'
import { settledProofsSweep } from './users.sweeps.ts'

export const users = {
  name: 'users',
  sweeps: [settledProofsSweep],
} satisfies Feature
