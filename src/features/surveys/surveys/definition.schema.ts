import { z } from 'zod'
import {
  METRICS,
  OPERATORS,
  type Condition,
  type LocalizedText,
  type Question,
  type QuestionType,
  type SurveyDefinition,
} from '../../../survey-engine/model/definition.ts'
import { ThemeBody } from '../../../platform/look/look-schema.ts'
import { LIMITS } from '../../../survey-engine/model/limits.ts'
import { QUESTION_TYPES, settingsOf } from '../../../survey-engine/types/registry.ts'
import type { Setting } from '../../../survey-engine/types/settings.ts'
import { MESSAGE_KEYS, type MessageKey } from '../../../survey-engine/words/message-keys.ts'

const MOST = 1_000_000_000

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/
const name = z.string().regex(NAME, 'Use a letter and up to 63 more letters, digits and underscores.')
const slug = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
    'Use up to 64 letters, digits, underscores and hyphens. Begin with a letter or digit.',
  )
const LANGUAGE_TAG = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/
export const languageTag = z.string().regex(LANGUAGE_TAG, 'Use a language tag, such as en or pt-BR.')
const url = z.string().min(1).max(LIMITS.urlLength)
const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'Use a date such as 2026-11-22.')
const words = z.string().max(LIMITS.textLength)
const shortValue = z.string().max(LIMITS.customValueLength)

function atMost<Schema extends z.ZodType>(item: Schema, most: number) {
  return z.array(item).max(most)
}

export const Text: z.ZodType<LocalizedText> = z
  .union(
    [
      words,
      z
        .record(languageTag, words)
        .refine((texts) => Object.keys(texts).length <= LIMITS.languages, `Use at most ${LIMITS.languages} languages.`)
        .meta({ propertyNames: { pattern: LANGUAGE_TAG.source }, maxProperties: LIMITS.languages }),
    ],
    {
      error: 'Use text, or an object of language tags and texts such as {"en": "Why?", "de": "Warum?"}.',
    },
  )
  .meta({
    id: 'LocalizedText',
    description: 'A string is used in every language. An object has a text by language tag.',
  })

const base = { id: name, title: Text, description: Text.optional(), required: z.boolean().optional() }
const image = url
  .optional()
  .describe('The `url` of an asset. Any other picture is fetched once and becomes an asset, at most 20 at a time.')
const line = { id: slug, label: Text }

/** The meaning of a setting, where its name does not say it. */
const MEANINGS: Record<string, string> = {
  style: 'How a page draws the steps. `smiley` has at most five. Default: `number`.',
  shuffle:
    'The order of choices or rows on the page, for each respondent. `all_but_last` keeps the last in its place. A ' +
    'free "other" always comes last. Default: `none`.',
}

/** A draft may hold what its author has not finished, so the checks of a survey that is published say more. */
function settingBody(name: string, setting: Setting): z.ZodType {
  switch (setting.kind) {
    case 'text':
      return Text.optional()
    case 'lines':
      return atMost(z.strictObject(name === 'choices' ? { ...line, image_url: image } : line), LIMITS.choices)
    case 'switch':
      return z.boolean().optional()
    case 'number': {
      const number = setting.isWhole ? z.number().int() : z.number()
      const limited = (setting.isAbove ? number.gt(setting.min) : number.min(setting.min)).max(setting.max)
      return setting.isNeeded ? limited : limited.optional()
    }
    case 'day':
      return date.optional()
    case 'one':
      return z.enum(setting.of).optional()
    case 'several':
      return atMost(z.enum(setting.of), setting.of.length).optional()
  }
}

function questionBody(types: QuestionType[]) {
  const [type = 'nps'] = types
  const settings = settingsOf(type).map(([name, setting]) => {
    const body = settingBody(name, setting)
    return [name, MEANINGS[name] === undefined ? body : body.describe(MEANINGS[name])] as const
  })
  return z.strictObject({
    ...base,
    type: types.length === 1 ? z.literal(type) : z.enum(types),
    ...Object.fromEntries(settings),
  })
}

// Types with the same settings are one schema.
const bodies = [...Map.groupBy(QUESTION_TYPES, (type) => JSON.stringify(settingsOf(type))).values()].map(questionBody)

/** The settings of every type (src/survey-engine/types/registry.ts). */
export const QuestionBody = z
  .discriminatedUnion('type', bodies as [(typeof bodies)[number]])
  .meta({ id: 'Question' }) as unknown as z.ZodType<Question>

const test = {
  op: z.enum(OPERATORS),
  value: z
    .union([shortValue, z.number(), z.boolean(), atMost(z.union([shortValue, z.number()]), LIMITS.choices + 1)], {
      error: 'Use text, a number, true or false, or an array of texts and numbers.',
    })
    .optional(),
}

export const ConditionBody: z.ZodType<Condition> = z
  .lazy(() =>
    z.union(
      [
        z.strictObject({ all: atMost(ConditionBody, LIMITS.conditionLeaves) }),
        z.strictObject({ any: atMost(ConditionBody, LIMITS.conditionLeaves) }),
        z.strictObject({ question: name, ...test }),
        z.strictObject({ custom: slug, ...test }),
        z.strictObject({ variable: name, ...test }),
      ],
      {
        error: `Use {"all": […]}, {"any": […]}, or one of question, custom and variable with an op (${OPERATORS.join(', ')}) and a value, and no other members.`,
      },
    ),
  )
  .meta({ id: 'Condition', description: 'A comparison with an unanswered question is false.' })

const ActionBody = z
  .discriminatedUnion('action', [
    z.strictObject({ action: z.literal('jump'), to: name }),
    z.strictObject({ action: z.enum(['require', 'show', 'hide']), question: name }),
    z.strictObject({
      action: z.literal('calculate'),
      variable: name,
      operation: z.enum(['set', 'add', 'subtract', 'multiply', 'divide']),
      value: z.union([z.number(), shortValue, z.strictObject({ question: name }), z.strictObject({ variable: name })], {
        error: 'Use a number, text, {"question": …} or {"variable": …}.',
      }),
    }),
    z.strictObject({ action: z.literal('end'), ending: slug.optional() }),
  ])
  .meta({ id: 'Action' })

const RuleBody = z
  .strictObject({
    id: slug.optional(),
    after: name.optional(),
    when: ConditionBody,
    then: atMost(ActionBody, LIMITS.actionsPerRule),
  })
  .meta({
    id: 'Rule',
    description:
      'The rule applies after the question `after`. Without it, after the last question that `when` mentions.',
  })

const EndingBody = z
  .strictObject({
    id: slug,
    title: Text,
    message: Text.optional(),
    redirect_url: url.optional(),
    outcome: z.enum(['completed', 'screened_out']).optional(),
    badge: z
      .string()
      .max(60)
      .optional()
      .describe(
        'A badge of the workspace. The page shows it with a way to share it, if it is enabled and has a figure.',
      ),
  })
  .meta({ id: 'Ending' })

const QuotaBody = z
  .strictObject({ id: slug, when: ConditionBody.optional(), limit: z.number().int().min(1).max(MOST) })
  .meta({
    id: 'Quota',
    description:
      'At most `limit` completed responses that match `when`. Counted from the version that first has this id.',
  })

const variables = z
  .record(name, z.union([z.number(), shortValue]))
  .refine((all) => Object.keys(all).length <= LIMITS.variables, `Use at most ${LIMITS.variables} variables.`)
  .meta({ propertyNames: { pattern: NAME.source }, maxProperties: LIMITS.variables })

const message = z.string().trim().min(1).max(LIMITS.messageLength).optional()
const MessagesOfLanguage = z
  .strictObject(Object.fromEntries(MESSAGE_KEYS.map((key) => [key, message])) as Record<MessageKey, typeof message>, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `There is no such message. Use: ${MESSAGE_KEYS.join(', ')}.` : undefined,
  })
  .meta({
    id: 'MessagesOfLanguage',
    description: 'Your own messages to respondents. The others keep their built-in words.',
  })
const messages = z
  .record(languageTag, MessagesOfLanguage)
  .refine((all) => Object.keys(all).length <= LIMITS.languages, `Use at most ${LIMITS.languages} languages.`)

const LeadCaptureBody = z
  .strictObject({
    contact: name.describe('A question of the type `contact`.'),
    consent: name.optional().describe('A question of the type `consent`. Without its yes there is no lead.'),
    when: ConditionBody.optional().describe('A condition, as in `logic`.'),
  })
  .meta({ id: 'LeadCapture', description: 'Completing a response makes a lead of its contact, or refreshes it.' })

const TargetingBody = z
  .strictObject({
    urls: atMost(z.string().min(1).max(LIMITS.urlLength), LIMITS.targetingEntries)
      .optional()
      .describe('Addresses of the website, matched whole. `*` stands for any part. Default: every address.'),
    events: atMost(z.string().min(1).max(100), LIMITS.targetingEntries)
      .optional()
      .describe('Events of `voc("track")`. Any of them opens the survey. Default: the page itself opens it.'),
    sample: z.number().min(0).max(1).optional().describe('The share of visitors, from 0 to 1. Default: 1.'),
    delay_ms: z.number().int().min(0).max(LIMITS.targetingDelayMs).optional().describe('Default: 0.'),
    recontact: z
      .union([
        z.enum(['once', 'until_answered']),
        z.strictObject({ every_days: z.number().int().min(1).max(LIMITS.recontactDays) }),
      ])
      .optional()
      .describe('When the same browser is asked again. Default: `until_answered`.'),
  })
  .meta({ id: 'Targeting', description: 'When an embedded survey opens by itself. All conditions must hold.' })

/** The versioned members of a survey. None has a default: a PATCH must not fill in members that it leaves out. */
export const definitionShape = {
  metric: z.enum(METRICS).nullable().describe('The metric that the score of a response uses.'),
  default_language: languageTag,
  languages: atMost(languageTag, LIMITS.languages)
    .optional()
    .describe('Languages that a published survey must be translated into. Default: those in use.'),
  messages: messages
    .optional()
    .describe(
      'Texts of the page and of conversations by language tag, to add a language or change the built-in texts.',
    ),
  questions: atMost(QuestionBody, LIMITS.questions),
  logic: atMost(RuleBody, LIMITS.rules),
  custom_fields: atMost(slug, LIMITS.customFields).describe('Names that `custom_data` may have.'),
  variables: variables.optional().describe('Variables with their initial values.'),
  endings: atMost(EndingBody, LIMITS.endings),
  quotas: atMost(QuotaBody, LIMITS.quotas),
  dedupe: z
    .enum(['none', 'device', 'contact', 'single_use'])
    .describe('Who may answer only once: a device, a contact, or the holder of a link’s `token`.'),
  privacy: z
    .enum(['open', 'anonymous'])
    .optional()
    .describe(
      '`anonymous`: responses have no person, agent or exact time, and are read only as figures of at least five ' +
        'people. Their events wait for the end of the day and for five. It cannot change once there are responses. ' +
        'Default: `open`.',
    ),
  single_use_tokens: z
    .enum(['issued', 'any'])
    .optional()
    .describe(
      '`issued` (the default): only tokens of invitations and of `POST /v1/surveys/{id}/links` work. `any`: you ' +
        'make the tokens, and each text works once.',
    ),
  allow_changes: z
    .boolean()
    .optional()
    .describe(
      'Whether invited people may change a completed response until the survey closes. Default: true, or false with ' +
        '`dedupe: single_use`.',
    ),
  lead_capture: LeadCaptureBody.optional(),
  layout: z
    .enum(['question', 'page'])
    .optional()
    .describe('Whether the page shows one question at a time or all together. Default: `question`.'),
  targeting: TargetingBody.optional(),
  theme: ThemeBody.optional(),
  proof_of_work: z
    .boolean()
    .optional()
    .describe(
      'The page solves a puzzle for each new response. A phone takes less than a second. A response without ' +
        'the proof is quarantined as `no_proof`. This happens to people whose browser runs no scripts, and to ' +
        'every response from an API client. Invitations and the links of `POST /v1/surveys/{id}/links` need ' +
        'none. Default: false.',
    ),
}

export const DefinitionBody = z.object(definitionShape).meta({ id: 'SurveyDefinition' })

// Does not compile if the schema and the engine's types differ.
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
true satisfies Same<z.output<typeof DefinitionBody>, SurveyDefinition>
