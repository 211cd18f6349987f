import { z } from 'zod'
import { DisplayName } from '../users/users.schema.ts'

const Days = z.number().int().min(1).max(3650).nullable()

const BrandingSchema = z
  .object({
    logo_url: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .nullable()
      .default(null),
    color: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, 'A colour such as #0f766e is needed.')
      .nullable()
      .default(null),
  })
  .meta({ id: 'Branding', description: 'How the respondent page and mails look.' })

const RetentionSchema = z
  .object({
    responses_days: Days.default(null).describe('Responses are erased after so many days.'),
    deliveries_days: Days.default(null).describe('Finished webhook deliveries are removed after so many days.'),
    exports_days: Days.default(null).describe('Finished export runs expire after so many days.'),
  })
  .meta({ id: 'Retention', description: 'Null keeps what the operator of this server set.' })

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'A time such as 21:30 is needed.')

const QuietHoursSchema = z
  .object({ start: TimeOfDay, end: TimeOfDay })
  .meta({ id: 'QuietHours', description: 'No invitation is sent from start to end, in the time zone of the workspace. May span midnight.' })

const ContactFrequencySchema = z
  .object({ max_contacts: z.number().int().min(1).max(1000), per_days: z.number().int().min(1).max(365) })
  .meta({ id: 'ContactFrequency', description: 'Nobody is contacted more often than this.' })

export type Branding = z.output<typeof BrandingSchema>
export type Retention = z.output<typeof RetentionSchema>
export type QuietHours = z.output<typeof QuietHoursSchema>
export type ContactFrequency = z.output<typeof ContactFrequencySchema>

export const WorkspaceName = DisplayName

export const Org = z
  .object({
    id: z.string(),
    name: z.string(),
    timezone: z.string().describe('IANA name.'),
    branding: BrandingSchema,
    ip_allowlist: z.array(z.string()).describe('CIDR ranges whose callers may use the API; empty: any.'),
    retention: RetentionSchema,
    quiet_hours: QuietHoursSchema.nullable(),
    contact_frequency: ContactFrequencySchema.nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Org' })

export const UpdateOrg = z
  .strictObject({
    name: WorkspaceName,
    timezone: z.string().min(1).max(64),
    branding: BrandingSchema,
    ip_allowlist: z
      .array(z.string().trim().max(64))
      .max(200)
      .describe('CIDR ranges, such as 192.0.2.0/24 or 2001:db8::/32. A list without the caller is refused; an empty one turns the check off.'),
    retention: RetentionSchema,
    quiet_hours: QuietHoursSchema.nullable(),
    contact_frequency: ContactFrequencySchema.nullable(),
  })
  .partial()
  .meta({ id: 'UpdateOrg', description: 'What is absent stays; a section that is present replaces the whole section.' })
