import { z } from 'zod'
import { PageQuery, pageOf } from '../../../http/routes/pagination.ts'
import { nameLine } from '../../../platform/schemas/line-schema.ts'

/** The lists that have views. */
export const VIEWED = ['responses', 'people', 'alerts', 'leads', 'sends', 'webhook_deliveries', 'audit'] as const

const loose = z.record(z.string(), z.unknown())
const fields = {
  name: nameLine(200),
  entity: z.enum(VIEWED).describe('The list that it shows.'),
  filter: loose
    .describe('A filter on the entity. `sends`, `webhook_deliveries` and `audit` also take the parameters of the list.')
    .meta({ example: { all: [] } }),
  columns: z
    .array(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/, 'Use the name of a column.'))
    .max(50)
    .describe('The columns, in their order.'),
  sort: z
    .string()
    .regex(
      /^-?[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/,
      'Use a field by which the list is sorted, with - before it for the highest first.',
    )
    .nullable(),
  visibility: z.enum(['private', 'shared']).describe('A private view is for its owner only.'),
  is_default: z.boolean().describe('Whether the list opens with it, for you. You have one default for each entity.'),
}

export const CreateFilterView = z
  .strictObject({
    ...fields,
    filter: fields.filter.default({ all: [] }),
    columns: fields.columns.default([]),
    sort: fields.sort.default(null),
    visibility: fields.visibility.default('private'),
    is_default: fields.is_default.default(false),
  })
  .meta({ id: 'CreateFilterView' })

export const UpdateFilterView = z.strictObject(fields).omit({ entity: true }).partial().meta({ id: 'UpdateFilterView' })

export const FilterViewQuery = PageQuery.extend({ entity: fields.entity.optional() }).strict()

export const FilterView = z
  .object({
    id: z.string(),
    ...fields,
    owner_id: z.string().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'FilterView' })

export const FilterViewList = pageOf(FilterView).meta({ id: 'FilterViewList' })
