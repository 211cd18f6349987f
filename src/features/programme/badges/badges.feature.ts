import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import * as routes from './badges.routes.ts'

export const badges = {
  name: 'badges',
  routes: Object.values(routes),
} satisfies Feature<Route>
