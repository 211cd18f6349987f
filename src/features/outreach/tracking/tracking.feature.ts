import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import * as api from './tracking.routes.ts'

export const tracking = { name: 'tracking', routes: Object.values(api) } satisfies Feature<Route>
