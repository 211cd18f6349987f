import type { Feature } from '../../../platform/feature.ts'
import { endOtherSessionsRoute, endOwnSessionRoute, listOwnSessionsRoute } from './own-sessions.routes.ts'
import { signInRoute, signOutRoute, switchWorkspaceRoute } from './sessions.routes.ts'
import { endedSessionsSweep, oldSignInAttemptsSweep, overdueSessionsSweep } from './sessions.sweeps.ts'

export const sessions = {
  name: 'sessions',
  routes: [
    signInRoute,
    switchWorkspaceRoute,
    signOutRoute,
    listOwnSessionsRoute,
    endOtherSessionsRoute,
    endOwnSessionRoute,
  ],
  sweeps: [overdueSessionsSweep, endedSessionsSweep, oldSignInAttemptsSweep],
  retention: [
    { tables: ['sessions'], sweep: endedSessionsSweep },
    { tables: ['known_addresses', 'sign_in_delays'], sweep: oldSignInAttemptsSweep },
  ],
} satisfies Feature
