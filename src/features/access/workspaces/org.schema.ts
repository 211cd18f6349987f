import { z } from 'zod'
import { withZoneSpelled } from '../../../platform/time-zones.ts'
import { DisplayName } from '../../../platform/schemas/line-schema.ts'
import { lookShape } from '../../../platform/look/look-schema.ts'

export const Workspace = z.object({ id: z.string(), name: z.string() }).meta({ id: 'Workspace' })

const Days = z.number().int().min(1).max(3650).nullable()

const BrandingSchema = z
  .object(lookShape)
  .meta({ id: 'Branding', description: 'The look of respondent pages. Mails take the logo and the colour.' })

export const BrandingChange = z.strictObject(lookShape).partial()

const retention = {
  responses_days: Days.describe('Days after which responses are erased.'),
  deliveries_days: Days.describe('Days after which finished webhook deliveries are removed.'),
  exports_days: Days.describe('Days after which finished export runs expire.'),
}
const RetentionSchema = z
  .object(retention)
  .meta({ id: 'Retention', description: 'Null means the setting of the server.' })

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use a time such as 21:30.')
const quietHours = { start: TimeOfDay, end: TimeOfDay }
const QuietHoursSchema = z.object(quietHours).meta({
  id: 'QuietHours',
  description:
    "No message is sent between `start` and `end` of the person's own time zone. Without one, every zone of the " +
    "phone number's country counts, else the zone of the workspace. The period may span midnight.",
})

const businessHours = {
  weekdays: z
    .array(z.number().int().min(1).max(7))
    .min(1)
    .max(7)
    .refine((days) => new Set(days).size === days.length, 'Name each day once.')
    .describe('1 is Monday, 7 is Sunday.'),
  start: TimeOfDay,
  end: TimeOfDay,
  holidays: z.array(z.iso.date()).max(400).describe('Days without work, such as 2026-12-25.'),
}
const BusinessHoursSchema = z.object(businessHours).meta({
  id: 'BusinessHours',
  description: 'When alerts are worked on, in the time zone of the workspace. `end` is after `start`.',
})

const contactFrequency = { max_contacts: z.number().int().min(1).max(1000), per_days: z.number().int().min(1).max(365) }
const ContactFrequencySchema = z
  .object(contactFrequency)
  .meta({ id: 'ContactFrequency', description: 'The limit on how often one person is contacted.' })

const ai = { enabled: z.boolean() }
const AiSchema = z.object(ai).meta({
  id: 'OrgAi',
  description:
    'Whether texts may go to the language model of this server, for Adept and for sentiment and topics, with ' +
    'addresses masked. False until a member allows it.',
})

const Origins = z
  .array(
    z
      .string()
      .max(300)
      .regex(
        /^[Hh][Tt][Tt][Pp][Ss]?:\/\/(\*\.)?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:\d{1,5})?$/,
        'Use an origin such as https://www.example.com or https://*.example.com.',
      ),
  )
  .max(100)

export type Branding = z.output<typeof BrandingSchema>
export type Retention = z.output<typeof RetentionSchema>
export type QuietHours = z.output<typeof QuietHoursSchema>
export type BusinessHours = z.output<typeof BusinessHoursSchema>
export type Ai = z.output<typeof AiSchema>
export type ContactFrequency = z.output<typeof ContactFrequencySchema>

export const Org = z
  .object({
    id: z.string(),
    name: z.string(),
    timezone: z.string().describe('IANA name, such as Europe/Berlin.'),
    branding: BrandingSchema,
    ip_allowlist: z
      .array(z.union([z.cidrv4(), z.cidrv6()]))
      .describe('CIDR ranges from which the API may be called. Empty means from anywhere.'),
    embed_origins: z
      .array(z.string())
      .describe('Websites that may show surveys in a frame. Empty means every website.'),
    retention: RetentionSchema,
    quiet_hours: QuietHoursSchema.nullable(),
    contact_frequency: ContactFrequencySchema.nullable(),
    remember_recipients: z
      .boolean()
      .describe('Whether the recipients of invitations become people (`GET /v1/people`).'),
    business_hours: BusinessHoursSchema.nullable().describe('Null means all hours.'),
    ai: AiSchema,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Org' })

export const UpdateOrg = z
  .strictObject({
    name: DisplayName,
    timezone: z.string().min(1).max(64).overwrite(withZoneSpelled),
    branding: BrandingChange,
    ip_allowlist: z
      .array(z.string().trim().max(64))
      .max(200)
      .describe(
        'CIDR ranges such as 192.0.2.0/24 or 2001:db8::/32. A list without the caller’s address is refused. An ' +
          'empty list turns the check off.',
      ),
    embed_origins: Origins.describe('Websites that may show surveys in a frame. Empty means every website.'),
    retention: z.strictObject(retention).partial(),
    quiet_hours: z.strictObject(quietHours).partial().nullable().describe('Null turns quiet hours off.'),
    contact_frequency: z.strictObject(contactFrequency).partial().nullable().describe('Null turns the limit off.'),
    remember_recipients: z.boolean(),
    business_hours: z
      .strictObject(businessHours)
      .partial()
      .nullable()
      .describe('Null means all hours. `holidays` may be left out.'),
    ai: z.strictObject(ai),
  })
  .partial()
  .meta({
    id: 'UpdateOrg',
    description: 'Members that you leave out keep their values. This also holds inside sections.',
  })
