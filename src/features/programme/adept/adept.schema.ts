import { z } from 'zod'
import { filterBody } from '../../../platform/filter/schema.ts'
import { instant, instantUntil } from '../../../platform/instant.ts'
import { definitionShape } from '../../surveys/surveys/definition.schema.ts'

const surveyIds = z.array(z.string().max(60)).min(1).max(50).describe('Only these surveys. Absent means all.')
const engine = z
  .enum(['offline', 'model'])
  .describe(
    '`offline`: made from counts and extracts, because no model is allowed, or the model gave no usable answer.',
  )
const citation = z.object({
  response_id: z.string(),
  question_id: z.string(),
  quote: z.string().describe('A part of the text, as it was written.'),
})

export const AskAdept = z
  .strictObject({
    question: z.string().trim().min(1).max(1_000),
    survey_ids: surveyIds.optional(),
    from: instant.optional().describe('Completed at or after this time. Default: 90 days ago.'),
    to: instantUntil.optional().describe('Completed before this time. A date includes the whole day.'),
  })
  .meta({ id: 'AskAdept' })

export const AdeptAnswer = z
  .object({
    answer: z.string(),
    figures: z.array(
      z.object({
        label: z.string(),
        value: z.number(),
        n: z.number().int().describe('The number of responses behind the figure.'),
        query: z
          .record(z.string(), z.unknown())
          .describe('The query of the figure, in the form of a dashboard widget.'),
      }),
    ),
    citations: z.array(citation),
    filter: z.record(z.string(), z.unknown()).describe('The filter that chose the responses.'),
    engine,
  })
  .meta({ id: 'AdeptAnswer' })

export const DraftSurvey = z
  .strictObject({
    goal: z.string().trim().min(1).max(1_000),
    metric: definitionShape.metric.optional(),
    languages: z
      .array(z.string().min(2).max(20))
      .min(1)
      .max(5)
      .optional()
      .describe('Offline drafts are in en, de and es. They leave out any other language.'),
  })
  .meta({ id: 'DraftSurvey' })

export const SurveyDraft = z
  .looseObject({ name: z.string(), questions: z.array(z.looseObject({ id: z.string(), type: z.string() })) })
  .meta({ id: 'SurveyDraft', description: 'The body of POST /v1/surveys.' })

export const SummarizeAdept = z
  .strictObject({ filter: filterBody('responses').optional(), survey_ids: surveyIds.optional() })
  .refine((body) => body.filter !== undefined || body.survey_ids !== undefined, 'Give a filter or survey_ids.')
  .meta({ id: 'SummarizeAdept' })

export const AdeptSummary = z
  .object({
    summary: z.string(),
    themes: z.array(
      z.object({ topic_id: z.string(), name: z.string(), n: z.number().int(), sentiment: z.number().nullable() }),
    ),
    citations: z.array(citation),
    engine,
  })
  .meta({ id: 'AdeptSummary' })
