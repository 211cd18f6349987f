import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import * as all from './dashboards.routes.ts'
import type { DashboardUses } from './dashboards.service.ts'
import { openSharedPageRoute, openSharedRoute, readSharedRoute, sharedPageRoute } from './shares/shared.routes.ts'

/** @param uses what other features have that needs a dashboard. */
export function createDashboards(uses: DashboardUses[]): Feature<Route> {
  const { createDeleteRoute, readFiguresRoute, ...routes } = all
  return {
    name: 'dashboards',
    routes: [
      ...Object.values(routes),
      createDeleteRoute(uses),
      readFiguresRoute,
      readSharedRoute,
      openSharedRoute,
      sharedPageRoute,
      openSharedPageRoute,
    ],
  }
}
