import { z } from 'zod'
import { countedPageOf, listQuery } from '../../../http/routes/pagination.ts'
import { instant, instantUntil } from '../../../platform/instant.ts'
import { RESPONSE_STATES } from '../rows/response-state.ts'
import { nameLine, withHyphens } from '../../../platform/schemas/line-schema.ts'
import { BANDS, METRICS } from '../../../survey-engine/model/definition.ts'

const band = z.enum([...new Set(Object.values(BANDS).flat())])

export const MAX_TAGS = 50
export const MAX_NOTES = 200

const tag = nameLine(64)

export const ResponseQuery = listQuery('responses')
  .extend({
    survey_id: z.string().max(60).optional(),
    state: z
      .enum(RESPONSE_STATES)
      .optional()
      .describe('Absent means every state but `deleted`, unless `filter` tests the state.'),
    band: band.optional().describe('The band of the score.'),
    from: instant.optional().describe('Completed at or after this time. For an unfinished response, begun.'),
    to: instantUntil.optional().describe('Completed (or begun) before this time. A date includes the whole day.'),
    channel: z.string().max(32).optional(),
    language: z.string().max(40).overwrite(withHyphens).optional(),
    tag: tag.optional(),
    agent_id: z.string().max(60).optional(),
    search: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe('A part of the respondent’s text, in upper or lower case, with or without accents.'),
  })
  .strict()

const customData = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

export const SurveyResponse = z
  .object({
    id: z.string(),
    survey_id: z.string(),
    survey_version: z.number().int(),
    state: z.enum(RESPONSE_STATES),
    channel: z.string(),
    language: z.string(),
    answers: z
      .array(
        z.object({
          question_id: z.string(),
          type: z.string(),
          value: z.union([z.number(), z.boolean(), z.string(), z.array(z.string()), z.record(z.string(), z.string())]),
        }),
      )
      .describe('Answers without text. A chosen "other" is `other`.'),
    text: z
      .array(z.object({ question_id: z.string(), value: z.union([z.string(), z.record(z.string(), z.string())]) }))
      .describe('The respondent’s words: open text, "other" text and contact fields.'),
    custom_data: customData,
    score: z.object({ metric: z.enum(METRICS), value: z.number().int(), band }).nullable(),
    agent_id: z.string().nullable(),
    person_id: z.string().nullable().describe('The person who was invited.'),
    started_at: z.iso.datetime(),
    completed_at: z.iso.datetime().nullable().describe('When the respondent finished, with any outcome.'),
    duration_ms: z
      .number()
      .int()
      .nullable()
      .describe('Time from the first answer to the last. Null if the response came in one request.'),
    tags: z.array(z.string()),
    notes: z.array(
      z.object({
        id: z.string(),
        text: z.string(),
        author: z.string().nullable(),
        created_at: z.iso.datetime(),
        edited_at: z.iso.datetime().nullable(),
      }),
    ),
    quality_flags: z
      .array(z.string())
      .describe(
        '`fast` and `straightlining` decide nothing. `trap_filled`, `forged_start` and `too_fast` quarantined the ' +
          'response, because a program seems to have sent it. `no_proof` did too: the survey asks for a proof of ' +
          'work, and none came.',
      ),
    orders: z
      .record(z.string(), z.array(z.string()))
      .describe('The order in which the page showed shuffled choices or rows, by question.'),
  })
  .meta({ id: 'Response' })

export const ResponseList = countedPageOf(SurveyResponse).meta({ id: 'ResponseList' })

export const UpdateResponse = z
  .strictObject({
    tags: z.array(tag).max(MAX_TAGS).describe('The complete list. It replaces the present tags.'),
    custom_data: z
      .record(z.string().max(64), z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]))
      .describe('Fields to set. Null removes a field. Only fields that the survey declares.'),
    agent_id: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .nullable()
      .describe('An agent’s id or external id. An unknown external id makes an agent of that name. Null removes it.'),
  })
  .partial()
  .meta({ id: 'UpdateResponse' })

export const AddTags = z.strictObject({ tags: z.array(tag).min(1).max(MAX_TAGS) }).meta({ id: 'AddTags' })
export const AddNote = z.strictObject({ text: z.string().trim().min(1).max(5_000) }).meta({ id: 'AddNote' })
export const ReleaseResponse = z
  .strictObject({ exceed: z.boolean().default(false).describe('Count the response even past a quota or the limit.') })
  .meta({ id: 'ReleaseResponse' })
