import type { Feature } from '../../platform/feature.ts'
import type { Route } from '../../http/route.ts'
import * as routes from './responses.routes.ts'

export const responses = { name: 'responses', routes: Object.values(routes) } satisfies Feature<Route>
