import { z } from 'zod'
import { ProblemBody } from '../../../http/problem-body.ts'
import { instant } from '../../../platform/instant.ts'
import { FilterParameter } from './report-filter.ts'

const bound = z
  .union([z.iso.date(), instant.transform((at) => at.toISOString())], { error: 'Use a moment such as 2026-11-22T09:30:00Z, or a date such as 2026-11-22.' })
  .refine((text) => text >= '1970' && text < '9000', 'Use a moment between 1970 and 9000.')

export const timezone = z
  .string()
  .max(60)
  .regex(/^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/, 'Use an IANA time zone, such as Europe/Berlin.')
  .refine(isTimezone, 'Use an IANA time zone, such as Europe/Berlin.')

export const ReportQuery = z.strictObject({
  from: bound.optional().describe('A moment, or a day in `timezone`; absent: 30 days before `to`.'),
  to: bound.optional().describe('A moment (exclusive), or a day in `timezone` (inclusive); absent: the end of today.'),
  interval: z.enum(['day', 'week', 'month']).default('day').describe('Of the trend; weeks begin on Monday.'),
  timezone: timezone.default('UTC').describe('IANA name; days begin at its midnight.'),
  filter: FilterParameter.optional(),
})

const count = z.number().int()
const percent = z.number().nullable().describe('Two decimals; null for none.')
const counts = z.object({
  started: count,
  partial: count,
  completed: count,
  screened_out: count,
  over_quota: count,
  quarantined: count,
  deleted: count,
  total: count,
})
const mean = z.object({ score: percent, mean: percent, n: count })
const period = z.object({ from: z.iso.datetime(), to: z.iso.datetime() })

const figures = {
  counts,
  completion_rate: percent.describe('Completed among all that began, in per cent; quarantined and deleted ones aside.'),
  nps: z.object({
    score: percent,
    promoters: count,
    passives: count,
    detractors: count,
    n: count,
    margin_of_error: percent.describe('Half the 95 % confidence interval, in points; null under n = 5 or where all answers are alike.'),
  }),
  csat: mean,
  ces: mean,
}

const Bar = z.object({
  value: z.union([z.number(), z.string(), z.boolean()]).describe('A score or number, a choice id, a column id, or a month.'),
  row: z.string().optional().describe('Of a matrix.'),
  count,
  share: percent.describe('Of those who answered, in per cent.'),
  mean_rank: z.number().nullable().optional().describe('Of a ranking; 1 is the best.'),
})

const QuestionReport = z.object({
  question_id: z.string(),
  type: z.string(),
  title: z.string().nullable().describe('In the default language; null for a question that is not in the present version.'),
  reached: count,
  answered: count,
  dropped_off: count.describe('Responses that stopped at this question.'),
  completion_rate: percent.describe('Answered among reached.'),
  mean: z.number().nullable().optional().describe('Of a slider; three decimals, null for none.'),
  median: z.number().nullable().optional().describe('Of a slider; null for none.'),
  distribution: z.array(Bar).describe('Of completed responses.'),
})

export const Report = z
  .object({
    survey_id: z.string(),
    version: z.number().int(),
    period: z.object({ ...period.shape, interval: z.string(), timezone: z.string() }),
    ...figures,
    questions: z.array(QuestionReport),
    trend: z.array(
      z.object({
        date: z.iso.date().describe('First day, in `timezone`.'),
        from: z.iso.datetime(),
        responses: count,
        completed: count,
        score: percent.describe('Of the survey’s metric.'),
        n: count,
      }),
    ),
    quotas: z.array(z.object({ id: z.string(), limit: count, count })).describe('As they stand now, whatever the period.'),
    previous: z.object({ period, ...figures }).describe('The same length, just before.'),
  })
  .meta({ id: 'Report' })

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export const RetiredExport = ProblemBody.extend({
  successor: z.literal('/v1/export-runs'),
  migration: z
    .object({
      method: z.literal('POST'),
      path: z.literal('/v1/export-runs'),
      body: z.object({ source: z.string(), survey_id: z.string(), format: z.string() }),
    })
    .describe('The request that starts an export run.'),
}).meta({ id: 'RetiredExport' })
