import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import { onCompleted } from './people.service.ts'
import { people } from './person.entity.ts'
import { personal } from './personal.service.ts'
import type { TimelineSource } from './timeline.service.ts'
import * as routes from './people.routes.ts'

/** @param timeline what features of lower districts know of a person. */
export function createPeople(timeline: TimelineSource[]): Feature<Route> {
  const { createTimelineRoute, ...others } = routes
  return {
    name: 'people',
    routes: [...Object.values(others), createTimelineRoute(timeline)],
    listeners: [onCompleted],
    entities: { people },
    personal,
  }
}
