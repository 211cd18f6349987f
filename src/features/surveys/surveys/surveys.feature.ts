import type { Feature } from '../../../platform/feature.ts'
import type { Route } from '../../../http/routes/route.ts'
import * as files from './definition-file.routes.ts'
import type { KnownBadges } from './ending-badges.service.ts'
import { surveys } from './survey.entity.ts'
import * as all from './surveys.routes.ts'
import type { ReadActivity } from './surveys.service.ts'

/**
 * @param knownBadges says which badges an ending may show.
 * @param readActivity says how often surveys were completed.
 */
export function createSurveys(knownBadges: KnownBadges, readActivity: ReadActivity): Feature<Route> {
  const { listSurveysRoute, createSurveyRoute, updateSurveyRoute, ...routes } = all
  return {
    name: 'surveys',
    entities: { surveys },
    routes: [
      listSurveysRoute(readActivity),
      createSurveyRoute(knownBadges),
      updateSurveyRoute(knownBadges),
      ...Object.values(routes),
      ...Object.values(files),
    ],
  }
}
