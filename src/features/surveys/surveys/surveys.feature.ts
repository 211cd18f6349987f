import type { Feature } from '../../../platform/feature.ts'
import type { Route } from '../../../http/routes/route.ts'
import * as files from './definition-file.routes.ts'
import type { KnownBadges } from './ending-badges.service.ts'
import { surveys } from './survey.entity.ts'
import * as all from './surveys.routes.ts'

/** @param knownBadges says which badges an ending may show. */
export function createSurveys(knownBadges: KnownBadges): Feature<Route> {
  const { createSurveyRoute, updateSurveyRoute, ...routes } = all
  return {
    name: 'surveys',
    entities: { surveys },
    routes: [
      createSurveyRoute(knownBadges),
      updateSurveyRoute(knownBadges),
      ...Object.values(routes),
      ...Object.values(files),
    ],
  }
}
