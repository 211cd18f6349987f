import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import { leaderboardRoute, scorecardRoute } from './figures.routes.ts'
import type { TopicsOf } from './figures.service.ts'

/** @param topicsOf says what respondents wrote about. Without it, scorecards have no topics. */
export function createAgentFigures(topicsOf: TopicsOf = async () => []): Feature<Route> {
  return { name: 'agent-figures', routes: [leaderboardRoute, scorecardRoute(topicsOf)] }
}
