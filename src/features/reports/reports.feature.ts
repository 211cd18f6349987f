import type { Feature } from '../../platform/feature.ts'
import type { Route } from '../../http/route.ts'
import * as routes from './reports.routes.ts'

export const reports = { name: 'reports', routes: Object.values(routes) } satisfies Feature<Route>
