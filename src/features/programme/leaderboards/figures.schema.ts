import { z } from 'zod'
import { bound, timezone } from '../../answers/reporting/report/reporting.schema.ts'
import { Agent } from '../../surveys/agents/agents.schema.ts'
import { METRICS } from '../../../survey-engine/model/definition.ts'

const period = {
  metric: z.enum(METRICS).default('nps'),
  survey_id: z.string().max(60).optional().describe('Absent: every survey.'),
  from: bound.optional().describe('The start: a time, or a day in `timezone`. Default: 30 days before `to`.'),
  to: bound.optional().describe('The end: a time (exclusive), or a day (inclusive). Default: the end of today.'),
  timezone: timezone.default('UTC'),
}
export const ScorecardQuery = z.strictObject(period)
export const LeaderboardQuery = z.strictObject({
  ...period,
  team: z.string().max(100).optional(),
  min_n: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(10)
    .describe('The fewest answers that an agent needs for a rank.'),
  limit: z.coerce.number().int().min(1).max(1_000).default(1_000).describe('So many of the best agents are listed.'),
})

const count = z.number().int()
const score = z
  .number()
  .nullable()
  .describe('NPS from −100 to 100. CSAT and CES: the share of the top boxes (4–5 of 5, 5–7 of 7) in per cent.')
const interval = z
  .object({ low: z.number(), high: z.number(), level: z.literal(95), method: z.enum(['normal', 'wilson', 't']) })
  .nullable()
  .describe(
    'The confidence interval: NPS by its population variance, CSAT by Wilson, CES by t. Null with fewer than 5 answers, or if all are of one side.',
  )
const mean = z.number().nullable().describe('The mean of the answers. Null for NPS.')
const figure = { n: count, score, mean, interval }

export const Scorecard = z
  .object({
    agent: Agent,
    ...figure,
    previous: z.object({ n: count, score }).describe('The period of the same length before.'),
    trend: z
      .array(z.object({ date: z.string(), n: count, score }))
      .describe('By day up to 31 days, by week up to half a year, else by month.'),
    bands: z.record(z.string(), count),
    topics: z.array(z.object({ topic: z.string(), n: count, sentiment: z.number().nullable() })),
    response_rate: z.number().nullable().describe('Invitations that were answered, in per cent. Null without any.'),
    rank: z
      .object({ position: count, of: count })
      .nullable()
      .describe('Among active agents with at least 10 answers. Null below that.'),
  })
  .meta({ id: 'AgentScorecard' })

export const Leaderboard = z
  .object({
    data: z.array(
      z.object({
        agent: Agent,
        ...figure,
        position: count.describe('Shared with the first agent of the position if both intervals overlap.'),
        tied_with_next: z.boolean().describe('The interval overlaps with that of the next agent.'),
      }),
    ),
    ranked: count.describe('Agents with a rank. `data` has the best of them, as many as `limit`.'),
    below_minimum: count.describe('Agents with fewer answers than `min_n`.'),
  })
  .meta({ id: 'AgentLeaderboard' })
