import { tenantRoute, type Route } from '../../../http/routes/route.ts'
import { Leaderboard, LeaderboardQuery, Scorecard, ScorecardQuery } from './figures.schema.ts'
import { readLeaderboard, readScorecard, type TopicsOf } from './figures.service.ts'
import type { Feature } from '../../../platform/feature.ts'

const tag = 'Agents'

export const leaderboardRoute = tenantRoute({
  method: 'get',
  path: '/agents/leaderboard',
  operationId: 'getAgentLeaderboard',
  summary: 'Rank agents by their score',
  description: 'Active agents, the best first. Agents whose intervals overlap are tied.',
  tag,
  query: LeaderboardQuery,
  response: { status: 200, schema: Leaderboard },
  handler: (scope, { query }) => readLeaderboard(scope, query),
})

export function scorecardRoute(topicsOf: TopicsOf) {
  return tenantRoute({
    method: 'get',
    path: '/agents/:id/scorecard',
    operationId: 'getAgentScorecard',
    summary: 'Read the figures of an agent',
    tag,
    params: { id: 'agent' },
    query: ScorecardQuery,
    response: { status: 200, schema: Scorecard },
    handler: (scope, { params: { id }, query }) => readScorecard(scope, id, query, topicsOf),
  })
}

/** @param topicsOf says what respondents wrote about. */
export function createLeaderboards(topicsOf: TopicsOf): Feature<Route> {
  return { name: 'leaderboards', routes: [leaderboardRoute, scorecardRoute(topicsOf)] }
}
