import type { Feature } from '../../../platform/feature.ts'
import { getResetPageRoute, requestPasswordResetRoute, resetPasswordRoute } from './password-resets.routes.ts'
import { mailResetsSweep } from './password-resets.sweeps.ts'

export const passwordResets = {
  name: 'password-resets',
  routes: [requestPasswordResetRoute, getResetPageRoute, resetPasswordRoute],
  sweeps: [mailResetsSweep],
  retention: [{ tables: ['password_resets'], sweep: mailResetsSweep }],
} satisfies Feature
