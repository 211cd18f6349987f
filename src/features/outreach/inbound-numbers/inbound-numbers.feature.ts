import type { Feature } from '../../../platform/feature.ts'
import type { Route } from '../../../http/routes/route.ts'
import * as routes from './inbound-numbers.routes.ts'

export const inboundNumbers = { name: 'inbound-numbers', routes: Object.values(routes) } satisfies Feature<Route>
