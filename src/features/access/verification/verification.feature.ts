import type { Feature } from '../../../platform/feature.ts'
import { onProven } from './proven.service.ts'
import { getVerificationPageRoute, sendVerificationRoute, verifyMailboxRoute } from './verification.routes.ts'

export const verification = {
  name: 'verification',
  listeners: [onProven],
  routes: [sendVerificationRoute, getVerificationPageRoute, verifyMailboxRoute],
} satisfies Feature
