import { z } from 'zod'
import { withZoneSpelled } from '../../../platform/time-zones.ts'
import { languageTag } from '../../surveys/surveys/definition.schema.ts'
import { line } from '../../../platform/schemas/line-schema.ts'

const number = z
  .string()
  .max(40)
  .describe(
    'The international form, such as +49 30 901820. Answers show it as E.164. Only one workspace of a server can ' +
      'have it.',
  )
const label = line(120).describe('A name for the team.')
const capabilities = z
  .array(z.enum(['sms', 'voice']))
  .max(2)
  .describe('SMS, calls or both. Invitations by SMS and phone go out from a number that has the capability.')
const keywords = z
  .array(
    z.strictObject({
      keyword: z.string().trim().min(1).max(40).describe('The word. Case, accents and punctuation do not matter.'),
      survey_id: z.string().max(60),
    }),
  )
  .max(100)
  .describe('A message that consists of the keyword begins this survey.')
const defaultSurvey = z
  .string()
  .max(60)
  .nullable()
  .describe('The survey for calls and for messages without a keyword. Null means none.')
const language = languageTag
  .nullable()
  .describe('The language of conversations on this number. Null means the survey’s default language.')
const timezone = z
  .string()
  .min(1)
  .max(64)
  .overwrite(withZoneSpelled)
  .nullable()
  .describe('IANA name, for quiet hours. Null means the time zone of the workspace.')
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use a time such as 21:30.')
const quietHours = z
  .strictObject({ start: timeOfDay, end: timeOfDay })
  .nullable()
  .describe(
    'No reminder of an unfinished conversation is sent between these times. Null means those of the workspace. A ' +
      'person who writes always gets an answer.',
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

export const UpdateInboundNumber = z.strictObject(fields).partial().meta({
  id: 'UpdateInboundNumber',
  description: 'Members that you leave out keep their values. An array replaces the whole array.',
})

export const InboundNumber = z
  .object({ id: z.string(), number: z.string(), ...fields, created_at: z.iso.datetime(), updated_at: z.iso.datetime() })
  .meta({ id: 'InboundNumber' })
