import type { Feature } from '../../../platform/feature.ts'
import { settledProofsSweep } from './users.sweeps.ts'
import { getVerificationPageRoute, sendVerificationRoute, verifyMailboxRoute } from './verification.routes.ts'

export const users = {
  name: 'users',
  routes: [sendVerificationRoute, getVerificationPageRoute, verifyMailboxRoute],
  sweeps: [settledProofsSweep],
} satisfies Feature
