import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import { personal } from './personal.service.ts'
import * as api from './suppression.routes.ts'
import * as page from './unsubscribe.routes.ts'

export const suppression = {
  name: 'suppression',
  routes: [...Object.values(api), ...Object.values(page)],
  personal,
} satisfies Feature<Route>
