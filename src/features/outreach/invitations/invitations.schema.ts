import { z } from 'zod'
import { PageQuery, pageOf } from '../../../http/pagination.ts'
import { instant } from '../../../platform/instant.ts'

export const MOST_RECIPIENTS = 20_000

const channel = z.enum(['email', 'sms', 'voice'])
const template_id = z.string().max(60).describe('An email template; absent: the built-in one.')
const send_at = instant.describe('When to send; absent or past: at once. At most a year ahead.')

export const SKIP_REASONS = [
  'suppressed',
  'contact_frequency',
  'duplicate',
  'invalid_address',
  'survey_not_live',
  'quiet_hours',
] as const

const Recipient = z
  .strictObject({
    email: z.string().max(320).optional().describe('An address that is none is skipped as `invalid_address`.'),
    phone: z.string().max(64).optional().describe('E.164, such as +4930901820.'),
    name: z.string().max(200).optional().describe('Control characters are taken out.'),
    language: z
      .string()
      .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'A language tag such as en or pt-BR is needed.')
      .max(35)
      .optional()
      .describe('Absent: the default language of the survey.'),
    timezone: z
      .string()
      .max(64)
      .optional()
      .describe('IANA name, for quiet hours; absent: of the phone number’s country, else of the workspace.'),
    agent_id: z
      .string()
      .max(60)
      .optional()
      .describe('The agent whose work the survey asks about. An id that the workspace does not have is refused.'),
    custom_data: z
      .record(z.string().max(64), z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]))
      .meta({
        propertyNames: { maxLength: 64 },
        description: 'Fields that the survey declares; they stand in the response.',
      })
      .optional(),
  })
  .meta({ id: 'InvitationRecipient' })

const Reminder = z.strictObject({
  after_hours: z
    .number()
    .int()
    .min(1)
    .max(24 * 60)
    .describe('After the message before it was accepted.'),
})

const reminders = z
  .array(Reminder)
  .max(5)
  .default([])
  .describe(
    'Sent to whoever has not answered by then. None after a bounce, an unsubscription, or the end of the survey.',
  )

export const Invite = z
  .strictObject({
    channel,
    recipients: z.array(Recipient).min(1).max(MOST_RECIPIENTS).optional(),
    segment_id: z.string().max(60).optional().describe('Instead of `recipients`. Segments are not built yet: 422.'),
    template_id: template_id.optional(),
    send_at: send_at.optional(),
    reminders,
  })
  .refine((body) => (body.recipients === undefined) !== (body.segment_id === undefined), {
    path: ['recipients'],
    message: 'Name either recipients or a segment_id.',
  })
  .meta({ id: 'Invite', oneOf: [{ required: ['recipients'] }, { required: ['segment_id'] }] })

export const InviteCsvQuery = z.strictObject({
  channel,
  template_id: template_id.optional(),
  send_at: send_at.optional(),
  reminder_after_hours: z
    .string()
    .regex(/^\d{1,4}(,\d{1,4}){0,4}$/, 'Whole hours such as 48 or 48,96 are needed.')
    .optional()
    .describe('Hours of each reminder, separated by commas.'),
})

export const RecipientsCsv = z
  .string()
  .describe(
    'RFC 4180 in UTF-8, comma or semicolon. At most 20,000 lines below the first, 200 columns, and 64 KiB in a line.',
  )
  .meta({ id: 'RecipientsCsv' })

const Skipped = z.object({
  index: z.number().int().describe('Of the recipient in the request, from 0.'),
  reason: z.enum(SKIP_REASONS),
})

export const InviteResult = z
  .object({
    id: z.string(),
    accepted: z.number().int().describe('Will be sent at `send_at`.'),
    deferred: z
      .number()
      .int()
      .describe('Will be sent after the quiet hours in which `send_at` falls for them. Not counted in `accepted`.'),
    skipped: z.array(Skipped).describe('Will not be sent.'),
  })
  .meta({ id: 'InviteResult' })

export const Invitation = z
  .object({
    id: z.string(),
    survey_id: z.string(),
    channel,
    template_id: z.string().nullable(),
    status: z.enum(['scheduled', 'sending', 'finished', 'cancelled']),
    send_at: z.iso.datetime(),
    reminders: z.array(Reminder),
    accepted: z.number().int(),
    deferred: z.number().int(),
    skipped: z.record(z.string(), z.number().int()).describe('Reason → how many.'),
    progress: z
      .object({ total: z.number().int(), waiting: z.number().int(), by_status: z.record(z.string(), z.number().int()) })
      .describe('Messages, reminders included, by what became of them.'),
    created_at: z.iso.datetime(),
    cancelled_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Invitation' })

export const InvitationQuery = PageQuery.extend({ survey_id: z.string().max(60).optional() }).strict()
export const InvitationList = pageOf(Invitation).meta({ id: 'InvitationList' })
