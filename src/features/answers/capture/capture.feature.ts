import type { Feature } from '../../../platform/feature.ts'
import type { Route } from '../../../http/route.ts'
import * as api from './capture.routes.ts'
import * as page from './respondent.routes.ts'

export const capture = {
  name: 'capture',
  routes: [...Object.values(api), ...Object.values(page)],
} satisfies Feature<Route>
