import { z } from 'zod'
import { withZoneSpelled } from '../../../platform/time-zones.ts'
import { nameLine, withHyphens } from '../../../platform/schemas/line-schema.ts'
import { countedPageOf, CountedPageQuery, pageOf, PageQuery } from '../../../http/routes/pagination.ts'
import { instant } from '../../../platform/instant.ts'
import { languageTag } from '../../surveys/surveys/definition.schema.ts'
import { Send } from '../../delivery/sends/sends.schema.ts'
import { DryRunQuery, LANGUAGE_TAG } from '../people/people.schema.ts'
import { SEND_CHANNELS } from '../../../platform/ports/provider.ts'

export const MOST_RECIPIENTS = 20_000

const channel = z.enum(SEND_CHANNELS)
const name = nameLine(120).optional().describe('For you, so that you find it among others.')
const template_id = z.string().max(60).describe('The id of an email template. Default: the built-in one.')
const send_at = instant.describe(
  'When to send, at most a year ahead. If it is absent or past, the message is sent at once.',
)

export const SKIP_REASONS = [
  'suppressed',
  'erased',
  'contact_frequency',
  'duplicate',
  'invalid_address',
  'survey_not_live',
  'quiet_hours',
] as const

const Recipient = z
  .strictObject({
    email: z.string().max(320).optional().describe('An address that is not valid is skipped as `invalid_address`.'),
    phone: z
      .string()
      .max(64)
      .optional()
      .describe('E.164, such as +4930901820. With `email` beside it, a reminder may change the channel.'),
    name: z
      .string()
      .max(200)
      .optional()
      .describe('Control characters are removed. Default: the name that the workspace knows for the address.'),
    language: z
      .string()
      .regex(LANGUAGE_TAG, 'Use a language tag such as en or pt-BR.')
      .max(35)
      .overwrite(withHyphens)
      .optional()
      .describe('Default: the default language of the survey.'),
    timezone: z
      .string()
      .max(64)
      .overwrite(withZoneSpelled)
      .optional()
      .describe('IANA name, for quiet hours. Default: that of the phone number’s country, or of the workspace.'),
    agent_id: z
      .string()
      .max(200)
      .optional()
      .describe(
        'The agent that the survey asks about: its id or external id. An unknown external id makes an agent of that ' +
          'name. An unknown `agt_…` is refused.',
      ),
    custom_data: z
      .record(z.string().max(64), z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]))
      .meta({
        propertyNames: { maxLength: 64 },
        description: 'Values for custom fields that the survey declares. They are copied to the response.',
      })
      .optional(),
  })
  .meta({ id: 'InvitationRecipient' })

const MOST_WORDS = 300
const words = z.string().trim().min(1).max(MOST_WORDS)

/** Of the words of a reminder. */
const MOST_LANGUAGES = 50

const Reminder = z.strictObject({
  after_hours: z
    .number()
    .int()
    .min(1)
    .max(24 * 60)
    .describe('Hours after the provider accepted the previous message.'),
  channel: channel
    .optional()
    .describe('Default: the channel of the invitation. People without the address that it needs are skipped.'),
  template_id: template_id.optional(),
  words: z
    .union([
      words,
      z
        .record(languageTag, words)
        .refine((given) => Object.keys(given).length <= MOST_LANGUAGES, `Use at most ${MOST_LANGUAGES} languages.`)
        .meta({ maxProperties: MOST_LANGUAGES }),
    ])
    .optional()
    .describe(
      'Your words for this reminder, as one text or by language, at most 300 characters. They replace the ' +
        'greeting of an SMS and the first sentence of the built-in mail. A template shows them ' +
        'with `{{ words }}`.',
    ),
})

const reminders = z
  .array(Reminder)
  .max(5)
  .default([])
  .describe(
    'Reminders for people who have not answered. A bounce, an unsubscription or the end of the survey stops them.',
  )

export const Invite = z
  .strictObject({
    channel,
    name,
    recipients: z.array(Recipient).min(1).max(MOST_RECIPIENTS).optional(),
    segment_id: z
      .string()
      .max(60)
      .optional()
      .describe('A segment in place of `recipients`: the people who are in it now, at most 100,000.'),
    template_id: template_id.optional(),
    send_at: send_at.optional(),
    reminders,
    dry_run: z.boolean().default(false).describe('`true` decides about everybody, and stores and sends nothing.'),
  })
  .refine((body) => (body.recipients === undefined) !== (body.segment_id === undefined), {
    path: ['recipients'],
    message: 'Use either recipients or segment_id.',
  })
  .meta({ id: 'Invite', description: 'Give either `recipients` or `segment_id`.' })

export const InviteCsvQuery = z.strictObject({
  channel,
  name,
  template_id: template_id.optional(),
  send_at: send_at.optional(),
  reminder_after_hours: z
    .string()
    .regex(/^\d{1,4}(,\d{1,4}){0,4}$/, 'Use whole hours, such as 48 or 48,96.')
    .optional()
    .describe('Hours before each reminder, separated by commas.'),
  dry_run: DryRunQuery,
})

export const RecipientsCsv = z
  .string()
  .describe(
    'CSV as spreadsheets write it, or an export of people. At most 20,000 lines after the first, 200 columns, 500,000 ' +
      'cells with a value, and 1 MiB a line.',
  )
  .meta({ id: 'RecipientsCsv' })

const Skipped = z.object({
  index: z.number().int().describe('The position of the recipient in the request or segment, from 0.'),
  reason: z.enum(SKIP_REASONS),
})

export const SkippedQuery = PageQuery.extend({ reason: z.enum(SKIP_REASONS).optional() }).strict()

export const SkippedRecipient = z
  .object({
    index: z.number().int().describe('The position of the recipient in the request or segment, from 0.'),
    recipient: z.string().nullable().describe('The masked address. Null if there was none, or it was erased.'),
    person_id: z.string().nullable(),
    reason: z.enum(SKIP_REASONS),
    at: z.iso.datetime(),
  })
  .meta({ id: 'SkippedRecipient' })

export const SkippedList = pageOf(SkippedRecipient).meta({ id: 'SkippedList' })

export const InviteResult = z
  .object({
    id: z.string().optional().describe('Absent in a dry run.'),
    dry_run: z.literal(true).optional(),
    accepted: z
      .number()
      .int()
      .describe(
        'Messages that will be sent at `send_at`. For a segment: those to its first 1,000 people, in a dry run to all.',
      ),
    deferred: z
      .number()
      .int()
      .describe('Messages that wait for the end of the recipient’s quiet hours. Not counted in `accepted`.'),
    skipped: z
      .array(Skipped)
      .describe('Recipients who get no message, with the reason. A dry run lists 1,000 of a segment.'),
    skipped_by: z
      .record(z.string(), z.number().int())
      .optional()
      .describe('Only in a dry run: how many are skipped, by reason.'),
  })
  .meta({ id: 'InviteResult' })

export const Invitation = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    survey_id: z.string(),
    channel,
    template_id: z.string().nullable(),
    segment_id: z.string().nullable(),
    status: z.enum(['scheduled', 'sending', 'finished', 'cancelled']),
    send_at: z.iso.datetime(),
    reminders: z.array(Reminder),
    accepted: z.number().int(),
    deferred: z.number().int(),
    skipped: z.record(z.string(), z.number().int()).describe('How many were skipped, by reason.'),
    progress: z
      .object({
        total: z.number().int(),
        waiting: z.number().int(),
        undecided: z.number().int().describe('People of the segment whom the server has not decided on yet.'),
        by_status: z.record(z.string(), z.number().int()),
      })
      .describe('Messages, with reminders, by status.'),
    created_at: z.iso.datetime(),
    cancelled_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Invitation' })

export const InvitationQuery = CountedPageQuery.extend({ survey_id: z.string().max(60).optional() }).strict()
export const InvitationList = countedPageOf(Invitation).meta({ id: 'InvitationList' })

export const ExplainInvitationQuery = z.strictObject({
  recipient: z.string().min(3).max(320).describe('An email address or a phone number.'),
})

export const InvitationExplanation = z
  .object({
    invitation_id: z.string(),
    recipient: z.string().describe('The masked address.'),
    sent: z.boolean().describe('Whether a provider took a message to this person.'),
    checks: z
      .array(z.object({ check: z.string(), ok: z.boolean(), detail: z.string() }))
      .describe('Each rule in its order, checked now. `reminder_1` and so on are about the reminders.'),
    sends: z.array(Send).describe('The messages to this person, oldest first, with the reasons at that time.'),
  })
  .meta({ id: 'InvitationExplanation' })

export const PersonAsking = z
  .object({
    data: z.array(
      z.object({
        channel: z.enum(SEND_CHANNELS),
        may: z
          .enum(['now', 'later', 'suppressed', 'no_address'])
          .describe('`later`: the contact frequency of the workspace allows no more messages before `from`.'),
        from: z.iso.datetime().nullable().describe('With `later`: when another message is allowed.'),
      }),
    ),
  })
  .meta({ id: 'PersonAsking' })
