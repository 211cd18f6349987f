import { z } from 'zod'
import { countedPageOf, listQuery } from '../../../http/routes/pagination.ts'
import { instant } from '../../../platform/instant.ts'
import { nameLine } from '../../../platform/schemas/line-schema.ts'

export const LEAD_STATUSES = ['new', 'contacted', 'qualified', 'converted', 'lost'] as const
type LeadStatus = (typeof LEAD_STATUSES)[number]
export const LEAD_SOURCES = ['response', 'manual'] as const

const status = z.enum(LEAD_STATUSES)
const line = nameLine(200).nullable()
const tags = z.array(nameLine(64)).max(50)

export const Lead = z
  .object({
    id: z.string(),
    status,
    source: z.enum(LEAD_SOURCES),
    response_id: z.string().nullable(),
    survey_id: z.string().nullable(),
    name: z.string().nullable().describe('Masked without `leads.manage`, as are email and phone.'),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    company: z.string().nullable(),
    consent: z.object({ given: z.boolean(), text: z.string().nullable(), at: z.iso.datetime().nullable() }).nullable(),
    owner_id: z.string().nullable(),
    follow_up_at: z.iso.datetime().nullable(),
    tags: z.array(z.string()),
    notes: z.array(
      z.object({
        id: z.string(),
        text: z.string(),
        author: z.string().nullable(),
        created_at: z.iso.datetime(),
        edited_at: z.iso.datetime().nullable(),
      }),
    ),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Lead' })
export const LeadList = countedPageOf(Lead)
  .extend({
    counts: z
      .object(
        Object.fromEntries(LEAD_STATUSES.map((name) => [name, z.number().int()])) as Record<LeadStatus, z.ZodNumber>,
      )
      .describe('The counts of all leads that pass the filter.'),
  })
  .meta({ id: 'LeadList' })

export const LeadQuery = listQuery('leads')

const fields = {
  status,
  name: line,
  email: z.string().trim().min(1).max(254).nullable(),
  phone: z.string().trim().min(1).max(40).nullable().describe('In international form, such as +4930901820.'),
  company: line,
  consent: z
    .strictObject({
      given: z.boolean(),
      text: z.string().trim().min(1).max(2_000).nullable().default(null).describe('What the person agreed to.'),
      at: instant.nullable().default(null),
    })
    .nullable(),
  owner_id: z.string().max(60).nullable(),
  follow_up_at: instant.nullable(),
  tags,
}

export const CreateLead = z
  .strictObject({
    status: status.default('new'),
    name: fields.name.default(null),
    email: fields.email.default(null),
    phone: fields.phone.default(null),
    company: fields.company.default(null),
    consent: fields.consent.default(null),
    owner_id: fields.owner_id.default(null),
    follow_up_at: fields.follow_up_at.default(null),
    tags: tags.default([]),
  })
  .meta({ id: 'CreateLead' })

export const UpdateLead = z.strictObject(fields).partial().meta({ id: 'UpdateLead' })

export const AddLeadNote = z.strictObject({ text: z.string().trim().min(1).max(5_000) }).meta({ id: 'AddLeadNote' })
