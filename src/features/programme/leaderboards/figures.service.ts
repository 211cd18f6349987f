import type { z } from 'zod'
import { notFound } from '../../../http/problems/problem.ts'
import type { ReadTx } from '../../../platform/database/database.ts'
import { parseId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { mapInSlices } from '../../../platform/loop/turns.ts'
import { bandsOf, countsOf, figureOf } from '../../../survey-engine/metrics/metrics.ts'
import { readPeriod } from '../../answers/reporting/report/periods.service.ts'
import { listRankable, presentAgent, readAgents } from '../../surveys/agents/agents.service.ts'
import type { Leaderboard, LeaderboardQuery, Scorecard, ScorecardQuery } from './figures.schema.ts'
import * as store from './figures.store.ts'
import { ranked } from './ranking.ts'

const MIN_N = 10

/** The topics of an agent's responses. The feature that classifies texts hands it in. */
export type TopicsOf = (
  tx: ReadTx,
  asked: { agentId: Id<'agent'>; surveyId: Id<'survey'> | null | undefined; from: Date; to: Date },
) => Promise<z.input<typeof Scorecard>['topics']>

/** @throws Problem 404 for an unknown agent, 400 for a period that ends before it begins. */
export async function readScorecard(
  scope: Scope,
  id: Id<'agent'>,
  query: z.output<typeof ScorecardQuery>,
  topicsOf: TopicsOf,
): Promise<z.input<typeof Scorecard>> {
  const { metric } = query
  return scope.read(
    async (tx) => {
      const agent = (await readAgents(tx, [id])).get(id)
      if (!agent) throw notFound('agent')
      const period = await readPeriod(scope, tx, { ...query, interval: intervalFor(query, scope.clock.now()) })
      const counted = { metric, surveyId: surveyIdIn(query), from: period.from, to: period.to }
      const starts = [period.from, ...period.buckets.slice(1).map(({ from }) => from)]
      const rows = await store.countOfAgent(tx, id, { ...counted, from: period.previousFrom }, starts)
      const countsIn = (isIn: (slot: number) => boolean) => countsOf(rows.filter(({ slot }) => isIn(slot)))
      const counts = countsIn((slot) => slot > 0)
      const { n, score } = figureOf(
        metric,
        countsIn((slot) => slot === 0),
      )
      const invited = await store.countInvited(tx, id, counted)
      return {
        agent: presentAgent(agent),
        ...figureOf(metric, counts),
        previous: { n, score },
        trend: period.buckets.map(({ date }, index) => {
          const figure = figureOf(
            metric,
            countsIn((slot) => slot === index + 1),
          )
          return { date, n: figure.n, score: figure.score }
        }),
        bands: bandsOf(metric, counts),
        topics: await topicsOf(tx, { agentId: id, ...counted }),
        response_rate: invited.accepted === 0 ? null : Math.round((invited.answered * 10_000) / invited.accepted) / 100,
        rank: await rankOf(tx, id, counted),
      }
    },
    { snapshot: true },
  )
}

/** @throws Problem 400 for a period that ends before it begins. */
export async function readLeaderboard(
  scope: Scope,
  query: z.output<typeof LeaderboardQuery>,
): Promise<z.input<typeof Leaderboard>> {
  return scope.read(
    async (tx) => {
      const { from, to } = await readPeriod(scope, tx, { ...query, interval: 'month' })
      const counted = { metric: query.metric, surveyId: surveyIdIn(query), from, to }
      const { rows, belowMinimum } = await rankAll(tx, counted, { team: query.team, minN: query.min_n })
      return {
        data: await mapInSlices(rows.slice(0, query.limit), ({ row, figure, position, isTiedWithNext }) => ({
          agent: presentAgent(row),
          ...figure,
          position,
          tied_with_next: isTiedWithNext,
        })),
        ranked: rows.length,
        below_minimum: belowMinimum,
      }
    },
    { snapshot: true },
  )
}

async function rankOf(
  tx: ReadTx,
  id: Id<'agent'>,
  counted: store.Counted,
): Promise<{ position: number; of: number } | null> {
  const { rows } = await rankAll(tx, counted, { minN: MIN_N })
  const own = rows.find(({ row }) => row.id === id)
  return own ? { position: own.position, of: rows.length } : null
}

async function rankAll(
  tx: ReadTx,
  counted: store.Counted,
  { team, minN }: { team?: string | undefined; minN: number },
) {
  const agents = await listRankable(tx, team)
  const ids = agents.map(({ id }) => id)
  const given = await store.countByAgent(tx, ids, counted)
  const byAgent = new Map(given.map(({ agent_id, scores }) => [agent_id, scores]))
  const figures = await mapInSlices(agents, (row) => {
    const scores = byAgent.get(row.id)
    const counts = scores && Object.entries(scores).map(([score, n]) => ({ score: Number(score), n }))
    return counts ? [{ row, figure: figureOf(counted.metric, countsOf(counts)) }] : []
  })
  const all = figures.flat()
  const enough = all.filter(({ figure }) => figure.n >= minN)
  return { rows: ranked(enough), belowMinimum: all.length - enough.length }
}

function surveyIdIn({ survey_id }: { survey_id?: string | undefined }): Id<'survey'> | null | undefined {
  return survey_id === undefined ? undefined : parseId('survey', survey_id)
}

const DAY_MS = 86_400_000

/** The interval of a trend that has neither too few nor too many points. */
function intervalFor(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  now: Date,
): 'day' | 'week' | 'month' {
  if (from === undefined) return 'day'
  const days = ((to === undefined ? now : new Date(to)).getTime() - new Date(from).getTime()) / DAY_MS
  if (days <= 31) return 'day'
  return days <= 184 ? 'week' : 'month'
}
