import { z } from 'zod'
import { DefinitionBody, languageTag } from '../../surveys/surveys/definition.schema.ts'

const answers = z
  .record(z.string(), z.unknown())
  .describe(
    'Question id → answer; null takes an answer back. A score, rating or slider is a number, a choice its id or `{"other": "…"}`, several an array, a matrix `{row: column}`, consent a boolean, a contact an object of fields, the rest text.',
  )
const custom_data = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).describe('Fields that the survey declares.')
const language = languageTag.describe("The respondent's language. The survey's default language is used when this is absent or not one of the survey's.")

/** The channels that a visitor may name; the others come from invitations and providers. */
export const OPEN_CHANNELS = ['web', 'embed', 'link', 'qr', 'api'] as const

export const SubmitResponse = z
  .strictObject({
    answers,
    custom_data: custom_data.default({}),
    language: language.optional(),
    channel: z
      .enum(OPEN_CHANNELS)
      .default('web')
      .describe('Where the question was put. Responses by email, SMS and phone get their channel from the invitation.'),
    completed: z.boolean().default(true).describe('False: to be continued with the `token` of the answer.'),
    token: z.string().min(1).max(500).optional().describe('The token of an invitation or a single-use link. A survey with `dedupe: single_use` needs it.'),
    device: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('A random id that stays the same on this device, for `dedupe: device`; absent, address and user agent stand for it.'),
  })
  .meta({ id: 'SubmitResponse' })

export const ContinueResponse = z
  .strictObject({
    answers: answers.default({}),
    custom_data: custom_data.default({}),
    language: language.optional(),
    completed: z.boolean().default(false),
  })
  .meta({ id: 'ContinueResponse', description: 'Answers are added to those that were saved.' })

export const Receipt = z
  .object({
    id: z.string(),
    token: z.string().describe('Continues this response; whoever holds it may.'),
    state: z.enum(['started', 'partial', 'completed', 'screened_out', 'over_quota', 'quarantined']),
  })
  .meta({ id: 'Receipt' })

const { default_language, languages, messages, questions, logic, custom_fields, variables, endings, dedupe } = DefinitionBody.shape
export const PublicSurvey = z
  .object({ id: z.string(), version: z.number().int(), default_language, languages, messages, questions, logic, custom_fields, variables, endings, dedupe })
  .meta({ id: 'PublicSurvey' })

/** The parameters that the address of the respondent page may have. */
export const RespondentLink = z.looseObject({
  lang: z.string().optional().describe('The language to show.'),
  channel: z.string().optional().describe('Stands in the response, such as `qr`.'),
  token: z.string().optional().describe('The token of an invitation or a single-use link.'),
  device: z.string().optional().describe('A random id that stays the same on this device.'),
  response: z.string().optional().describe('The token of a response to go on with.'),
})

export const RespondentForm = z
  .looseObject({
    _page: z.string().optional().describe('Which page was answered, from 0.'),
    _begun: z.string().optional().describe('Hidden field of the page.'),
    _response: z.string().optional().describe('Hidden field of the page.'),
    _lang: z.string().optional(),
    _channel: z.string().optional(),
    _token: z.string().optional(),
    _device: z.string().optional(),
    _next: z.string().optional().describe('Goes on.'),
    _back: z.string().optional().describe('Goes back a page.'),
  })
  .meta({ id: 'RespondentForm', description: 'The fields of the page: answers by question id, custom fields as `_custom.<field>`, and hidden ones.' })
