import type { Feature } from '../../../platform/feature.ts'
import type { Route } from '../../../http/routes/route.ts'
import * as routes from './embedding.routes.ts'
import { oldEmbedsSweep } from './embedding.sweeps.ts'

export const embedding = {
  name: 'embedding',
  routes: Object.values(routes),
  sweeps: [oldEmbedsSweep],
  retention: [{ tables: ['survey_embeds'], sweep: oldEmbedsSweep }],
} satisfies Feature<Route>
