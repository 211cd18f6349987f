import { z } from 'zod'
import { Count } from '../../../../http/routes/pagination.ts'
import { nameLine } from '../../../../platform/schemas/line-schema.ts'
import { Verbatim } from '../verbatim.schema.ts'

export const MOST_TOPICS = 200
const language = z.string().regex(/^[a-z]{2}$/, 'Use a language such as en, de or es.')
const name = nameLine(80)
const keyword = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .refine((word) => /[\p{L}\p{N}]/u.test(word), 'Use at least one letter or digit.')
const keywords = z
  .record(language, z.array(keyword).min(1).max(100))
  .refine((lists) => Object.keys(lists).length <= 20, 'Use at most 20 languages.')
  .describe(
    'Words and phrases by language. A word matches all its forms. `deliver*` matches every word that begins with ' +
      '`deliver`.',
  )
const surveyIds = z.array(z.string().max(60)).max(100).describe('Empty means every survey.')

export const Topic = z
  .object({
    id: z.string(),
    name: z.string(),
    keywords: z.record(z.string(), z.array(z.string())),
    survey_ids: z.array(z.string()),
    enabled: z.boolean(),
    classification: z
      .object({
        state: z.enum(['running', 'done']),
        done: z.number().int(),
        total: z.number().int().describe('Responses whose texts are classified again after a change.'),
      })
      .describe('How many texts have been classified by the current topics.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Topic' })

export const CreateTopic = z
  .strictObject({ name, keywords, survey_ids: surveyIds.default([]), enabled: z.boolean().default(true) })
  .meta({ id: 'CreateTopic' })

export const PreviewTopic = z.strictObject({ keywords, survey_ids: surveyIds.default([]) }).meta({ id: 'PreviewTopic' })

export const TopicPreview = z
  .object({
    count: Count.describe('Texts that the topic would have.'),
    of: Count.describe('The texts that were read: the newest, at most 10,000.'),
    sample: z.array(Verbatim).describe('At most 10 of them, the newest first.'),
  })
  .meta({ id: 'TopicPreview' })

export const UpdateTopic = z
  .strictObject({ name, keywords, survey_ids: surveyIds, enabled: z.boolean() })
  .partial()
  .meta({ id: 'UpdateTopic' })
