import { z } from 'zod'
import { countedPageOf, CountedPageQuery } from '../../../http/routes/pagination.ts'
import { filterBody } from '../../../platform/filter/schema.ts'
import { Person } from '../people/people.schema.ts'
import { nameLine } from '../../../platform/schemas/line-schema.ts'

const name = nameLine(200)
const description = z.string().trim().max(2_000)
const filter = filterBody('people')

export const CreateSegment = z
  .strictObject({ name, description: description.default(''), filter })
  .meta({ id: 'CreateSegment' })

export const UpdateSegment = z.strictObject({ name, description, filter }).partial().meta({ id: 'UpdateSegment' })

export const Segment = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    filter: z.record(z.string(), z.unknown()).describe('A filter on people.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Segment' })

export const SegmentQuery = CountedPageQuery.strict()
export const SegmentList = countedPageOf(Segment).meta({ id: 'SegmentList' })

export const PreviewSegment = z.strictObject({ filter }).meta({ id: 'PreviewSegment' })

export const SegmentPreview = z
  .object({
    count: z.number().int(),
    sample: z.array(Person).describe('The 10 newest people, with names and addresses masked.'),
  })
  .meta({ id: 'SegmentPreview' })
