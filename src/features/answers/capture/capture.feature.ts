import type { Feature } from '../../../platform/feature.ts'
import type { Route } from '../../../http/routes/route.ts'
import * as api from './capture.routes.ts'
import type { ShowBadge } from './page/respondent.service.ts'
import { respondentRoutes } from './page/respondent.routes.ts'

/** @param showBadge finds the badge of an ending. */
export function createCapture(showBadge: ShowBadge): Feature<Route> {
  return { name: 'capture', routes: [...Object.values(api), ...respondentRoutes(showBadge)] }
}
