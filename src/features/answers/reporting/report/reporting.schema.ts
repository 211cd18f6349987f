import { z } from 'zod'
import { instant, timeError } from '../../../../platform/instant.ts'
import { isTimezone, withZoneSpelled } from '../../../../platform/time-zones.ts'
import { ProblemBody } from '../../../../http/problems/problem-body.ts'
import { filterParameter } from '../../../../platform/filter/schema.ts'

/** An end of a period: a day in the time zone of the report, or a time. */
export const bound = z
  .union([z.iso.date({ error: timeError }), instant.transform((at) => at.toISOString())], { error: timeError })
  .refine((text) => text >= '1970' && text < '9000', 'Use a time between 1970 and 9000.')

export const timezone = z
  .string()
  .max(60)
  .regex(/^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/, 'Use an IANA time zone, such as Europe/Berlin.')
  .refine(isTimezone, 'Use an IANA time zone, such as Europe/Berlin.')
  .overwrite(withZoneSpelled)

export const ReportQuery = z.strictObject({
  from: bound.optional().describe('The start: a time, or a day in `timezone`. Default: 30 days before `to`.'),
  to: bound
    .optional()
    .describe('The end: a time (exclusive), or a day in `timezone` (inclusive). Default: the end of today.'),
  interval: z
    .enum(['day', 'week', 'month'])
    .default('day')
    .describe('The interval of the trend. Weeks begin on Monday.'),
  timezone: timezone.default('UTC').describe('IANA name, such as Europe/Berlin. Days begin at midnight there.'),
  filter: filterParameter('responses').optional(),
  compare: filterParameter('responses').optional(),
})

const count = z.number().int()
const percent = z.number().nullable().describe('Two decimals. Null without responses.')
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
const interval = z
  .object({ low: z.number(), high: z.number(), level: z.literal(95), method: z.enum(['normal', 'wilson', 't']) })
  .nullable()
  .describe('Of the score. Null with fewer than 5 responses, or if all answers are of one side.')
const mean = z.object({ score: percent, mean: percent, n: count, interval })
const period = z.object({ from: z.iso.datetime(), to: z.iso.datetime() })

const median_duration_ms = z
  .number()
  .nullable()
  .describe('The median time from the start to the end of a response. Null without one.')

const change = z
  .object({ value: z.number(), low: z.number(), high: z.number(), clear: z.boolean() })
  .nullable()
  .describe('The score of the report minus this one, with its 95 % interval. `clear` if that excludes zero.')

const figures = {
  counts,
  completion_rate: percent.describe(
    'Completed responses as a percentage of all begun ones, without quarantined and deleted ones.',
  ),
  nps: z.object({
    score: percent,
    promoters: count,
    passives: count,
    detractors: count,
    n: count,
    margin_of_error: percent.describe(
      'Half the 95 % confidence interval, in points. Null with fewer than 5 responses, or if all answers are the same.',
    ),
    interval,
  }),
  csat: mean,
  ces: mean,
}

const other = z.object({
  period,
  ...figures,
  nps: figures.nps.extend({ change }),
  csat: mean.extend({ change }),
  ces: mean.extend({ change }),
  median_duration_ms,
})

const Bar = z.object({
  value: z
    .union([z.number(), z.string(), z.boolean()])
    .describe('A score or number, a choice id, a column id, or a month.'),
  row: z.string().optional().describe('The row, for a matrix.'),
  count,
  share: percent.describe('Percentage of those who answered the question.'),
  mean_rank: z.number().nullable().optional().describe('For a ranking: the mean rank. 1 is best.'),
})

const QuestionReport = z.object({
  question_id: z.string(),
  type: z.string(),
  title: z
    .string()
    .nullable()
    .describe('The title in the default language. Null if the present version lacks the question.'),
  reworded: z
    .object({ version: z.number().int(), published_at: z.iso.datetime() })
    .nullable()
    .describe(
      'The newest of the last ten versions that changed the words of the question, its scale or one of its choices while ' +
        'the period had answers to the old ones. The report shows the present words for all. Null for none.',
    ),
  reached: count,
  answered: count,
  dropped_off: count.describe('Responses that stopped at this question.'),
  completion_rate: percent.describe('Responses that answered the question, as a percentage of those that reached it.'),
  mean: z.number().nullable().optional().describe('For a slider: the mean, with three decimals. Null without answers.'),
  median: z.number().nullable().optional().describe('For a slider: the median. Null without answers.'),
  distribution: z
    .array(Bar)
    .describe(
      'Completed responses by answer: the values of the present version, then the 200 most frequent of older ones. ' +
        'Of dates, the 200 most frequent months.',
    ),
})

export const Report = z
  .object({
    survey_id: z.string(),
    version: z.number().int(),
    period: z.object({ ...period.shape, interval: z.string(), timezone: z.string() }),
    ...figures,
    median_duration_ms,
    questions: z.array(QuestionReport),
    trend: z.array(
      z.object({
        date: z.iso.date().describe('The first day of the interval, in `timezone`.'),
        from: z.iso.datetime(),
        responses: count,
        completed: count,
        score: percent.describe('The score by the survey’s metric.'),
        n: count,
        enough: z.boolean().describe('False with fewer than 5 scores.'),
        interval,
      }),
    ),
    quotas: z
      .array(z.object({ id: z.string(), limit: count, count }))
      .describe('The numbers of now. They do not depend on the period.'),
    previous: other.describe('The period of the same length just before.'),
    compare: other.optional().describe('The responses that pass `compare`, in the same period.'),
  })
  .meta({ id: 'Report' })

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
