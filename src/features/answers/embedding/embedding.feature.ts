import type { Feature } from '../../../platform/feature.ts'
import type { Route } from '../../../http/routes/route.ts'
import * as routes from './embedding.routes.ts'

export const embedding = {
  name: 'embedding',
  routes: Object.values(routes),
} satisfies Feature<Route>
