import { z } from 'zod'
import { countedPageOf, CountedPageQuery } from '../../../http/routes/pagination.ts'
import { filterParameter } from '../../../platform/filter/schema.ts'
import { instant, instantUntil } from '../../../platform/instant.ts'
import { LABELS, SOURCES } from './verbatim-rows.ts'

const source = z.enum(SOURCES).describe('`rules` and `model` are guesses. A correction by a `person` wins and stays.')
const label = z.enum(LABELS)
const language = z.string().regex(/^[a-z]{2,3}$/, 'Use a language such as en, de or es.')

export const VerbatimQuery = CountedPageQuery.extend({
  filter: filterParameter('responses').optional(),
  search: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Words in any form, `"exact words"`, `-without`, `deliv*`, and `or` between alternatives.'),
  sort: z
    .enum(['-completed_at', 'completed_at', 'sentiment', '-sentiment'])
    .default('-completed_at')
    .describe('`-` begins with the highest: the newest, or the most positive.'),
}).strict()

export const ThemesQuery = z
  .object({
    filter: filterParameter('responses').optional(),
    from: instant.optional().describe('Completed at or after this time. Default: 30 days ago.'),
    to: instantUntil.optional().describe('Completed before this time. A date includes the whole day.'),
    interval: z
      .enum(['day', 'week', 'month'])
      .default('week')
      .describe('The step of `trend`, in UTC: `day` for at most 400 days.'),
  })
  .strict()

export const Verbatim = z
  .object({
    response_id: z.string(),
    survey_id: z.string(),
    question_id: z.string(),
    text: z.string(),
    language: z.string(),
    sentiment: z.object({ label, score: z.number().describe('From -1 to 1.'), source }),
    topics: z.array(z.object({ topic_id: z.string(), name: z.string(), confidence: z.number(), source })),
    band: z.string().nullable(),
    score: z.number().nullable().describe('The score of the response.'),
    agent_id: z.string().nullable(),
    completed_at: z.iso.datetime(),
    tags: z.array(z.string()),
  })
  .meta({ id: 'Verbatim' })

export const ListedVerbatim = Verbatim.extend({
  response_id: z.string().nullable().describe('Null for a text of an anonymous survey.'),
  completed_at: z.iso.datetime().nullable().describe('Null for a text of an anonymous survey.'),
}).meta({ id: 'ListedVerbatim' })

export const VerbatimList = countedPageOf(ListedVerbatim).meta({ id: 'VerbatimList' })

export const UpdateVerbatim = z
  .strictObject({
    sentiment: label,
    topics: z.array(z.string().max(60)).max(20).describe('The complete list. It replaces the present topics.'),
    language,
  })
  .partial()
  .meta({ id: 'UpdateVerbatim' })

export const Themes = z
  .object({
    data: z.array(
      z.object({
        topic: z.object({ topic_id: z.string(), name: z.string() }),
        n: z.number().int().describe('Texts about the topic.'),
        share: z.number().describe('The share of all texts, in per cent.'),
        sentiment: z.number().nullable().describe('The mean, from -1 to 1.'),
        score_impact: z
          .number()
          .nullable()
          .describe(
            'The mean score of responses about the topic, minus the mean score of the others. Null if either ' +
              'side has fewer than 5.',
          ),
        score_impact_interval: z
          .object({ low: z.number(), high: z.number(), level: z.literal(95) })
          .nullable()
          .describe('The 95 % interval of `score_impact`. Null if either side has fewer than 30.'),
        trend: z.array(z.object({ at: z.iso.datetime(), n: z.number().int() })),
        change: z
          .number()
          .nullable()
          .describe('The change of `share` since the previous period, in points. Null without a previous period.'),
      }),
    ),
  })
  .meta({ id: 'Themes' })
