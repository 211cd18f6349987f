import { z } from 'zod'
import { countedPageOf, listQuery, pageOf } from '../../../http/routes/pagination.ts'
import { instantOrDay } from '../../../platform/instant.ts'
import { DefinitionBody, definitionShape } from './definition.schema.ts'
import { SURVEY_STATES } from './openness.ts'
import { nameLine } from '../../../platform/schemas/line-schema.ts'

const MOST_RESPONSES = 1_000_000_000

const surveyName = nameLine(200).describe('A name for the team. Respondents never see it.')
const settings = {
  starts_at: instantOrDay
    .nullable()
    .describe(
      'When the survey begins to take responses. A date means the beginning of that day in the time zone of the workspace. Null means as soon as it is live.',
    ),
  closes_at: instantOrDay
    .nullable()
    .describe(
      'When the survey stops taking responses. A date means the end of that day in the time zone of the workspace.',
    ),
  response_limit: z
    .number()
    .int()
    .min(1)
    .max(MOST_RESPONSES)
    .nullable()
    .describe('The number of completed responses after which the survey takes no more.'),
}

export const CreateSurvey = z
  .strictObject({
    name: surveyName,
    ...definitionShape,
    metric: definitionShape.metric.default(null),
    default_language: definitionShape.default_language.default('en'),
    questions: definitionShape.questions.default([]),
    logic: definitionShape.logic.default([]),
    custom_fields: definitionShape.custom_fields.default([]),
    endings: definitionShape.endings.default([]),
    quotas: definitionShape.quotas.default([]),
    dedupe: definitionShape.dedupe.default('none'),
    privacy: definitionShape.privacy.default('open'),
    starts_at: settings.starts_at.default(null),
    closes_at: settings.closes_at.default(null),
    response_limit: settings.response_limit.default(null),
  })
  .meta({ id: 'CreateSurvey' })

export const UpdateSurvey = z
  .strictObject({
    name: surveyName,
    ...definitionShape,
    languages: definitionShape.languages.nullable().describe('Null means the languages in use.'),
    variables: definitionShape.variables.nullable(),
    single_use_tokens: definitionShape.single_use_tokens.nullable().describe('Null means `issued`.'),
    lead_capture: definitionShape.lead_capture.nullable().describe('Null makes no leads.'),
    layout: definitionShape.layout.nullable().describe('Null means `question`.'),
    targeting: definitionShape.targeting.nullable().describe('Null means that only the website decides.'),
    theme: definitionShape.theme.nullable().describe('Null means the look of the workspace.'),
    messages: definitionShape.messages.nullable().describe('Null means the built-in words.'),
    ...settings,
  })
  .partial()
  .meta({
    id: 'UpdateSurvey',
    description: 'Members that you leave out keep their values. An array replaces the whole array.',
  })

export const DefinitionFile = z
  .object({ name: surveyName, ...definitionShape })
  .meta({ id: 'DefinitionFile', description: 'A survey as a file. `POST /v1/surveys` takes it.' })
export const DefinitionFileQuery = z.strictObject({
  version: z.coerce.number().int().min(1).optional().describe('A published version. Absent means the draft.'),
})

const state = z.enum(SURVEY_STATES)

const head = {
  id: z.string(),
  name: z.string(),
  state,
  version: z.number().int().describe('The latest published version. 0 before the first.'),
  accepting_responses: z.boolean(),
  starts_at: z.iso.datetime().nullable(),
  closes_at: z.iso.datetime().nullable(),
  response_limit: z.number().int().nullable(),
  published_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
}

export const Survey = z
  .object({
    ...head,
    unpublished_changes: z.boolean().describe('True: the draft differs from the published version.'),
    ...DefinitionBody.shape,
  })
  .meta({ id: 'Survey' })

const Notifies = z
  .object({
    webhooks: z.number().int().describe('Enabled webhooks that take `response.completed` of this survey.'),
    members: z.number().int().describe('Subscriptions of members to it.'),
    alert_rules: z.number().int().describe('Alert rules that look at its responses.'),
  })
  .describe('Who will hear of completed responses.')

/** The answer of a step after which a survey takes responses. */
export const OpenedSurvey = Survey.extend({ notifies: Notifies }).meta({ id: 'OpenedSurvey' })

export const SurveySummary = z
  .object({
    ...head,
    metric: definitionShape.metric,
    privacy: definitionShape.privacy,
    languages: z.array(z.string()).describe('The languages of the draft, the default one first.'),
    unpublished_changes: z.boolean().describe('True: the draft differs from the published version.'),
    question_count: z.number().int(),
    response_count: z.number().int().describe('Completed responses, as reports count them.'),
    last_response_at: z.iso
      .datetime()
      .nullable()
      .describe('When the survey was last completed. For an anonymous survey: the day of the last group.'),
    updated_by: z
      .object({
        type: z.enum(['user', 'api_key']),
        id: z.string(),
        name: z.string().nullable().describe('Null if the account or the key is gone.'),
      })
      .nullable()
      .describe('Who changed the survey last.'),
  })
  .meta({ id: 'SurveySummary' })
export const SurveyList = countedPageOf(SurveySummary).meta({ id: 'SurveyList' })
export const SurveyQuery = listQuery('surveys')
  .extend({
    state: state.optional(),
    search: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe('A part of the name, in upper or lower case, with or without accents.'),
  })
  .strict()

export const SurveyVersion = z
  .object({
    version: z.number().int(),
    published_at: z.iso.datetime(),
    published_by: z.string().nullable().describe('The user or API key that published it.'),
    definition: DefinitionBody,
  })
  .meta({ id: 'SurveyVersion' })
export const SurveyVersionList = pageOf(SurveyVersion).meta({ id: 'SurveyVersionList' })

export const Validation = z
  .object({
    valid: z.boolean().describe('True: the draft can be published.'),
    issues: z.array(z.object({ path: z.string(), message: z.string() })),
    notifies: Notifies.optional().describe('With `include=notifies`.'),
  })
  .meta({ id: 'SurveyValidation' })

export const ValidateQuery = z.strictObject({
  include: z
    .enum(['notifies'])
    .optional()
    .describe('`notifies` counts the webhooks, members and alert rules that would learn of new responses.'),
})
