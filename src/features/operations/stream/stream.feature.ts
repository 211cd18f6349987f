import type { Feature } from '../../../platform/feature.ts'
import { streamRoute } from './stream.routes.ts'
import { changesSweep } from './stream.sweeps.ts'

export const stream = {
  name: 'stream',
  routes: [streamRoute],
  sweeps: [changesSweep],
  retention: [{ tables: ['changes', 'watched_workspaces'], sweep: changesSweep }],
} satisfies Feature
