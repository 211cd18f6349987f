import type { Feature } from '../../../platform/feature.ts'
import { endOtherSessionsRoute, endOwnSessionRoute, listOwnSessionsRoute } from './own-sessions.routes.ts'
import { signInRoute, signOutRoute, switchWorkspaceRoute } from './sessions.routes.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { forgetAttempts } from './sign-in-attempts.service.ts'
import { endOverdueSessions } from './ending.service.ts'
import { removeEndedSessions } from './sessions.service.ts'

export const overdueSessionsSweep: Sweep = {
  name: 'sessions.end',
  everySeconds: 15,
  run: (system, { limit }) => endOverdueSessions(system, limit),
}

export const endedSessionsSweep: Sweep = {
  name: 'sessions.remove',
  everySeconds: 3600,
  run: (system, { limit }) => removeEndedSessions(system, limit),
}

export const oldSignInAttemptsSweep: Sweep = {
  name: 'sign-in-attempts.forget',
  everySeconds: 3600,
  run: (system, { limit }) => forgetAttempts(system, limit),
}

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
