import { z } from 'zod'
import { LIMITS } from '../../../survey-engine/model/limits.ts'
import { spokenLanguage } from '../../../platform/schemas/line-schema.ts'
import { RESPONSE_STATES } from '../rows/response-state.ts'
import { DefinitionBody } from '../../surveys/surveys/definition.schema.ts'

const answers = z
  .record(z.string(), z.unknown())
  .describe(
    'Answers by question id. Null removes an answer. A score, rating or slider is a number, or the same as text in ' +
      'the language of the response. A choice is its id or ' +
      '`{"other": "…"}`, and several choices are an array. A matrix is `{row: column}`, consent is a boolean, a ' +
      'contact is an object of fields. Everything else is text.',
  )
const custom_data = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .describe('Values for the custom fields that the survey declares.')
// The token of a preview link holds a look to try, with the addresses of its pictures.
const LONGEST_TOKEN = 2_000
const language = spokenLanguage.describe(
  'The language of the respondent. If it is absent or the survey lacks it, the survey’s default language is used.',
)

const seen = z
  .array(z.string().max(64))
  .max(LIMITS.questions)
  .optional()
  .describe('Questions that were shown and left without an answer.')
// Any text is taken, because a program that fills in the page must not learn what gives it away.
const page = z
  .strictObject({
    begun: z.string().optional().describe('The hidden field `_begun` of the page.'),
    website: z.string().optional().describe('The hidden field `_website` of the page.'),
    proof: z.string().optional().describe('The proof of work for `begun`, if the survey asks for one.'),
  })
  .optional()
  .describe(
    'Sent by the page of the survey. Leave it out of your own requests. A repeated request with the same ' +
      '`begun` makes no second response. The server uses it to recognise programs that fill in the page, and ' +
      'quarantines their responses.',
  )

/** A visitor may name these channels. Invitations and providers set the others. */
export const OPEN_CHANNELS = ['web', 'embed', 'link', 'qr', 'api'] as const

export const SubmitResponse = z
  .strictObject({
    answers,
    custom_data: custom_data.default({}),
    language: language.optional(),
    channel: z
      .enum(OPEN_CHANNELS)
      .default('web')
      .describe(
        'Where the question was asked. Responses by email, SMS and phone get their channel from the invitation.',
      ),
    completed: z
      .boolean()
      .default(true)
      .describe('False saves the answers so far. Continue with the `token` of the response.'),
    token: z
      .string()
      .min(1)
      .max(LONGEST_TOKEN)
      .optional()
      .describe(
        'The token of an invitation or of a single-use link. A survey with `dedupe: single_use` needs one. With the ' +
          'token of a preview link the answers are checked and nothing is stored.',
      ),
    device: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe(
        'A random id that stays the same on this device, for `dedupe: device`. If it is absent, the address and the ' +
          'user agent identify the device.',
      ),
    seen,
    page,
  })
  .meta({ id: 'SubmitResponse' })

export const ContinueResponse = z
  .strictObject({
    answers: answers.default({}),
    custom_data: custom_data.default({}),
    language: language.optional(),
    completed: z.boolean().default(false),
    seen,
    page,
  })
  .meta({ id: 'ContinueResponse', description: 'These answers are added to the saved ones.' })

export const Receipt = z
  .object({
    id: z.string(),
    token: z.string().describe('Lets its holder continue this response.'),
    state: z.enum(RESPONSE_STATES).exclude(['deleted']),
    preview: z.literal(true).optional().describe('True for a preview link: nothing was stored. Absent otherwise.'),
  })
  .meta({ id: 'Receipt' })

export const PublicSurveyQuery = z.looseObject({
  token: z.string().max(LONGEST_TOKEN).optional().describe('The token of a preview link. It shows the draft.'),
})

const { default_language, languages, messages, questions, logic, custom_fields, variables, endings, dedupe } =
  DefinitionBody.shape
export const PublicSurvey = z
  .object({
    id: z.string(),
    version: z.number().int(),
    default_language,
    languages,
    messages,
    questions,
    logic,
    custom_fields,
    variables,
    endings,
    dedupe,
  })
  .meta({ id: 'PublicSurvey' })

/** The query parameters of the respondent page. */
export const RespondentLink = z.looseObject({
  lang: z.string().optional().describe('The language to show.'),
  channel: z.string().optional().describe('The channel to store with the response, such as `qr`.'),
  token: z.string().optional().describe('The token of an invitation, a single-use link or a preview link.'),
  device: z.string().optional().describe('A random id that stays the same on this device.'),
  response: z.string().optional().describe('The token of a response to continue.'),
  r: z.string().optional().describe('The same as `response`.'),
  at: z.string().optional().describe('Opens a preview at the question with this id. Elsewhere it does nothing.'),
  _page: z.string().optional().describe('The page of the response to show, from 0. Absent: where it goes on.'),
})

export const RespondentForm = z
  .looseObject({
    _page: z.string().optional().describe('The number of the answered page, from 0.'),
    _begun: z.string().optional().describe('A hidden field of the page.'),
    _answers: z
      .string()
      .optional()
      .describe('The answers of earlier pages, in a preview and while a completed response is changed.'),
    _response: z.string().optional().describe('A hidden field of the page.'),
    _lang: z.string().optional(),
    _channel: z.string().optional(),
    _token: z.string().optional(),
    _device: z.string().optional(),
    _proof: z.string().optional().describe('The proof of work for `_begun`, which a script of the page adds.'),
    _website: z.string().optional().describe('People leave it empty. A filled field quarantines the response.'),
    _next: z.string().optional().describe('The button to the next page.'),
    _back: z.string().optional().describe('The button to the page before.'),
  })
  .meta({
    id: 'RespondentForm',
    description:
      'The fields of the page: answers by question id, custom fields as `_custom.<field>`, and hidden fields.',
  })
