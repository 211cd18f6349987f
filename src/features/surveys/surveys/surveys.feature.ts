import type { Feature } from '../../../platform/feature.ts'
import type { Route } from '../../../http/route.ts'
import * as files from './definition-file.routes.ts'
import * as routes from './surveys.routes.ts'

export const surveys = {
  name: 'surveys',
  routes: [...Object.values(routes), ...Object.values(files)],
} satisfies Feature<Route>
