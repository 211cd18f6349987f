import { z } from 'zod'
import { languageTag } from '../../surveys/surveys/definition.schema.ts'

const number = z
  .string()
  .max(40)
  .describe(
    'In the international form, such as +49 30 901820; answered as E.164. One workspace of this server can have it.',
  )
const label = z.string().trim().max(120).describe('For the team.')
const capabilities = z
  .array(z.enum(['sms', 'voice']))
  .max(2)
  .describe('What the number can do. Invitations by SMS and by phone go out from a number that can.')
const keywords = z
  .array(
    z.strictObject({
      keyword: z.string().trim().min(1).max(40).describe('Compared in any case, without accents and punctuation.'),
      survey_id: z.string().max(60),
    }),
  )
  .max(100)
  .describe('Which survey a message that consists of this word begins.')
const defaultSurvey = z
  .string()
  .max(60)
  .nullable()
  .describe('The survey that any other message, and a call, begins; null: none.')
const language = languageTag
  .nullable()
  .describe('In which conversations on this number are held; null: the default language of the survey.')
const timezone = z
  .string()
  .min(1)
  .max(64)
  .nullable()
  .describe('IANA name, of the quiet hours; null: that of the workspace.')
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'A time such as 21:30 is needed.')
const quietHours = z
  .strictObject({ start: timeOfDay, end: timeOfDay })
  .nullable()
  .describe(
    'When nobody is reminded of an unfinished conversation; null: those of the workspace. Who writes is answered at any hour.',
  )

const fields = {
  label,
  capabilities,
  keywords,
  default_survey_id: defaultSurvey,
  language,
  timezone,
  quiet_hours: quietHours,
}

export const CreateInboundNumber = z
  .strictObject({
    number,
    label: label.default(''),
    capabilities: capabilities.default(['sms', 'voice']),
    keywords: keywords.default([]),
    default_survey_id: defaultSurvey.default(null),
    language: language.default(null),
    timezone: timezone.default(null),
    quiet_hours: quietHours.default(null),
  })
  .meta({ id: 'CreateInboundNumber' })

export const UpdateInboundNumber = z
  .strictObject(fields)
  .partial()
  .meta({ id: 'UpdateInboundNumber', description: 'What is left out stays. An array replaces the whole array.' })

export const InboundNumber = z
  .object({ id: z.string(), number: z.string(), ...fields, created_at: z.iso.datetime(), updated_at: z.iso.datetime() })
  .meta({ id: 'InboundNumber' })
