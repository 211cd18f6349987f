import { z } from 'zod'
import type { IdKind } from '../../../platform/ids.ts'
import { LISTS } from '../../../platform/readers.ts'
import { nameLine } from '../../../platform/schemas/line-schema.ts'

/** The things of which a caller knows the names, by the kinds of their ids. */
export const REFERS = {
  survey: 'survey',
  agent: 'agent',
  person: 'person',
  segment: 'segment',
  user: 'member',
  alertRule: 'rule',
  topic: 'topic',
  webhook: 'webhook',
  invitation: 'invitation',
  template: 'template',
} as const satisfies Partial<Record<IdKind, string>>

const entity = z.enum(LISTS).describe('The list.')
const survey_id = z.string().max(60).optional().describe('Adds the questions and custom fields of this survey.')

export const FieldsQuery = z.strictObject({
  entity,
  survey_id,
  language: z.string().max(40).optional().describe('The language of titles. Default: that of the survey.'),
})

export const ListedField = z
  .object({
    field: z.string(),
    label: z.string().nullable().describe('Text that the workspace wrote: a question, a custom field, an attribute.'),
    type: z.enum(['text', 'number', 'boolean', 'date', 'choice', 'id']),
    list: z.boolean().describe('It has several values.'),
    refers: z.enum(Object.values(REFERS)).nullable().describe('The kind of thing that an id names.'),
    ops: z.array(z.string()).describe('The operators of its tests in filters. Empty: filters do not take it.'),
    sort: z.boolean(),
    column: z.boolean().describe('The list or a view of it can show it.'),
    export: z.boolean(),
    values: z
      .array(z.object({ value: z.string(), label: z.string().nullable() }))
      .nullable()
      .describe('All values, if they are known.'),
    suggests: z.boolean().describe('`GET /v1/values` proposes values.'),
  })
  .meta({ id: 'ListedField' })

export const FieldList = z.object({ data: z.array(ListedField) }).meta({ id: 'FieldList' })

export const ValuesQuery = z.strictObject({
  entity,
  field: z.string().min(1).max(100),
  survey_id,
  prefix: nameLine(100).optional().describe('The beginning of a value or of its label, in upper or lower case.'),
  limit: z.coerce.number().int().min(1).max(50).default(20),
})

export const ValueList = z
  .object({
    data: z.array(
      z.object({
        value: z.string(),
        label: z.string().nullable().describe('The name of the thing that an id names.'),
        count: z.object({ n: z.number().int(), exact: z.boolean().describe('False: there are more than `n`.') }),
      }),
    ),
    more: z.boolean(),
  })
  .meta({ id: 'ValueList' })
