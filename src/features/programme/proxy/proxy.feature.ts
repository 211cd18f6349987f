import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import { fetchPageRoute } from './proxy.routes.ts'

export const proxy = { name: 'proxy', routes: [fetchPageRoute] } satisfies Feature<Route>
