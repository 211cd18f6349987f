import { z } from 'zod'
import { withZoneSpelled } from '../../../platform/time-zones.ts'
import { withHyphens } from '../../../platform/schemas/line-schema.ts'
import { countedPageOf, listQuery, pageOf } from '../../../http/routes/pagination.ts'
import { SEND_CHANNELS } from '../../../platform/ports/provider.ts'

export const MOST_PEOPLE = 20_000
export const MOST_ATTRIBUTES = 100
export const ATTRIBUTE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/
export const LANGUAGE_TAG = /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$/

/** Characters of each value that a person may have. */
export const LONGEST = { external_id: 200, email: 320, phone: 64, name: 200, timezone: 64, attribute: 1_000 }
export const LONGEST_IMPORTED_LANGUAGE = 64

const external_id = z
  .string()
  .trim()
  .min(1)
  .max(LONGEST.external_id)
  .describe('The id of the person in your own systems.')
const email = z.string().max(LONGEST.email)
const phone = z.string().max(LONGEST.phone).describe('E.164, such as +4930901820.')
const name = z.string().max(LONGEST.name).describe('Control characters become spaces.')
const language = z
  .string()
  .max(35)
  .regex(LANGUAGE_TAG, 'Use a language tag such as en or pt-BR.')
  .overwrite(withHyphens)
const timezone = z
  .string()
  .max(LONGEST.timezone)
  .overwrite(withZoneSpelled)
  .describe('IANA name, such as Europe/Berlin.')
export const attributes = z
  .record(
    z.string().regex(ATTRIBUTE_NAME, 'Use A–Z, a–z, 0–9, _ and -, at most 64, and begin with a letter or a digit.'),
    z.union([z.string().max(LONGEST.attribute), z.number(), z.boolean(), z.null()]),
  )
  .meta({
    propertyNames: { maxLength: 64 },
    description: 'Attributes for filters. They are added to the attributes that the person has. Null removes one.',
  })

const IDENTIFIED = { path: ['external_id'], message: 'Give external_id, email or phone.' }

export const CreatePerson = z
  .strictObject({ external_id, email, phone, name, language, timezone, attributes })
  .partial()
  .refine(
    (person) => person.external_id !== undefined || person.email !== undefined || person.phone !== undefined,
    IDENTIFIED,
  )
  .meta({
    id: 'CreatePerson',
    description: 'Give at least one of `external_id`, `email` and `phone`.',
  })

export const UpdatePerson = z
  .strictObject({
    external_id: external_id.nullable(),
    email: email.nullable(),
    phone: phone.nullable(),
    name: name.nullable(),
    language: language.nullable(),
    timezone: timezone.nullable(),
    attributes,
  })
  .partial()
  .meta({ id: 'UpdatePerson', description: 'Members that you leave out keep their values. Null removes one.' })

export const Person = z
  .object({
    id: z.string(),
    external_id: z.string().nullable(),
    email: z.string().nullable().describe('Masked for callers without `people.manage`.'),
    phone: z.string().nullable().describe('Masked for callers without `people.manage`.'),
    name: z.string().nullable().describe('Masked for callers without `people.manage`.'),
    language: z.string().nullable(),
    timezone: z.string().nullable(),
    attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    last_invited_at: z.iso.datetime().nullable(),
    last_responded_at: z.iso.datetime().nullable().describe('When the last completed response came in.'),
    last_score: z.number().int().nullable().describe('The score of that response.'),
    suppressed: z.array(z.enum(SEND_CHANNELS)).describe('Channels on which nothing is sent.'),
  })
  .meta({ id: 'Person' })

/** Members of an exported person that an import leaves out. */
const LeftOut = Person.pick({
  id: true,
  created_at: true,
  updated_at: true,
  last_invited_at: true,
  last_responded_at: true,
  last_score: true,
  suppressed: true,
})
  .extend({ last_band: z.string().nullable(), invited: z.boolean(), responded: z.boolean() })
  .partial()

/** The same as columns of an exported file. */
export const LEFT_OUT = Object.keys(LeftOut.shape)

const ImportedPerson = z
  .strictObject({
    external_id,
    email,
    phone,
    name,
    language: z.string().max(LONGEST_IMPORTED_LANGUAGE),
    timezone,
    attributes,
  })
  .partial()
  .extend(LeftOut.shape)

export const ImportPeople = z
  .strictObject({
    rows: z.array(ImportedPerson).min(1).max(MOST_PEOPLE),
    dry_run: z.boolean().default(false).describe('`true` answers as the call would, and stores nothing.'),
  })
  .meta({ id: 'ImportPeople' })

export const PeopleCsv = z
  .string()
  .describe(
    'CSV as spreadsheets and our exports write it. The first line names the columns: `external_id`, `email`, `phone`, ' +
      '`name`, `language`, `timezone`, `attributes` (a JSON object), and `attribute.<name>`. Other columns of an ' +
      'export of people are ignored. Empty cells are absent. At most 20,000 lines after the first, 200 columns, ' +
      '500,000 cells with a value, and 1 MiB a line.',
  )
  .meta({ id: 'PeopleCsv' })

export const REJECTIONS = [
  'erased',
  'ambiguous_person',
  'no_identifier',
  'invalid_address',
  'masked',
  'invalid_language',
  'invalid_timezone',
  'too_many_attributes',
] as const

/** `?dry_run=true` of calls whose body is a file. */
export const DryRunQuery = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional()
  .meta({ description: '`true` answers as the call would, and stores and sends nothing.' })

export const ImportQuery = z.strictObject({ dry_run: DryRunQuery })

export const ImportResult = z
  .object({
    dry_run: z.literal(true).optional(),
    created: z.number().int(),
    updated: z.number().int().describe('Rows about people who were known already, or who are in an earlier row.'),
    rejected: z.array(
      z.object({
        index: z.number().int().describe('The position of the row, from 0.'),
        reason: z.enum([...REJECTIONS, 'too_long', 'invalid_attributes']),
      }),
    ),
  })
  .meta({ id: 'PeopleImport' })

export const PersonList = countedPageOf(Person).meta({ id: 'PersonList' })

export const PersonQuery = listQuery('people').extend({
  search: z
    .string()
    .trim()
    .min(1)
    .max(320)
    .optional()
    .describe(
      'An exact email address, phone number or external id, or whole words of a name: finds people who have every word, ' +
        'without regard to order, case and accents. The first 8 words count.',
    ),
})

export const TimelineQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(500).default(20).describe('The most rows to return.'),
  cursor: z.string().max(400).optional().describe('The `next_cursor` of the previous page.'),
})

export const TimelineList = pageOf(
  z.object({
    at: z.iso.datetime(),
    kind: z
      .string()
      .describe(
        '`planned`, `invited`, `reminded`, `sent`, `delivered`, `opened`, `clicked`, `bounced`, `complained`, `started`, ' +
          '`responded`, `alerted`, `skipped`.',
      ),
    channel: z.string().nullable(),
    survey_id: z.string().nullable(),
    invitation_id: z.string().nullable(),
    response_id: z.string().nullable(),
    score: z.number().int().nullable(),
    send_id: z.string().nullable(),
    alert_id: z.string().nullable(),
    text: z.string().nullable().describe('At most 200 characters of what the person wrote, with `responded`.'),
    reason: z.string().nullable().describe('Why nothing was sent, with `skipped`.'),
  }),
).meta({ id: 'PersonTimeline' })
