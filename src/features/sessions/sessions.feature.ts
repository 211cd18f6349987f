import type { Feature } from '../../platform/feature.ts'
import { getMeRoute, signInRoute, signOutRoute, switchWorkspaceRoute } from './sessions.routes.ts'
import { endedSessionsSweep, overdueSessionsSweep } from './sessions.sweeps.ts'

export const sessions = {
  name: 'sessions',
  routes: [signInRoute, switchWorkspaceRoute, signOutRoute, getMeRoute],
  sweeps: [overdueSessionsSweep, endedSessionsSweep],
  retention: [{ tables: ['sessions'], sweep: endedSessionsSweep }],
} satisfies Feature
