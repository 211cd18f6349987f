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
