import type { Feature } from '../../../platform/feature.ts'
import { tenantEngine } from '../../../platform/work/tenant-engine.ts'
import { getResetPageRoute, requestPasswordResetRoute, resetPasswordRoute } from './password-resets.routes.ts'
import { mailRequestedResets, PASSWORD_RESETS } from './password-resets.service.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { hasDueRequests } from './password-resets.store.ts'

export const mailResetsSweep: Sweep = {
  name: 'password-resets.mail',
  everySeconds: 300,
  isDue: hasDueRequests,
  run: (system, { limit }) => mailRequestedResets(system, limit),
}

const BATCH = 10

// Requests belong to no workspace, so only the tenant of the platform is woken.
const engine = tenantEngine({
  work: (system) => mailRequestedResets(system, BATCH),
  failed: 'password resets were not mailed: the sweep tries again',
})

export const passwordResets = {
  name: 'password-resets',
  routes: [requestPasswordResetRoute, getResetPageRoute, resetPasswordRoute],
  engines: { [PASSWORD_RESETS]: engine },
  sweeps: [mailResetsSweep],
  retention: [{ tables: ['password_resets'], sweep: mailResetsSweep }],
} satisfies Feature
