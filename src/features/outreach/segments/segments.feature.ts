import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import { segmentFields } from './segment-fields.store.ts'
import * as all from './segments.routes.ts'
import type { SegmentUses } from './segments.service.ts'

/** @param uses what other features have that names a segment. */
export function createSegments(uses: SegmentUses[]): Feature<Route> {
  const { createDeleteRoute, ...routes } = all
  return {
    name: 'segments',
    routes: [...Object.values(routes), createDeleteRoute(uses)],
    fields: { responses: segmentFields },
  }
}
