import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import * as redirects from './redirects.routes.ts'
import * as api from './short-urls.routes.ts'
import { oldClicksSweep } from './short-urls.sweeps.ts'

export const shortUrls = {
  name: 'short-urls',
  routes: [...Object.values(api), ...Object.values(redirects)],
  sweeps: [oldClicksSweep],
  retention: [{ tables: ['short_url_clicks'], sweep: oldClicksSweep }],
} satisfies Feature<Route>
