import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import * as routes from './filter-views.routes.ts'

export const filterViews = { name: 'filter-views', routes: Object.values(routes) } satisfies Feature<Route>
