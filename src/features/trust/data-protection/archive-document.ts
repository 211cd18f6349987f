import { z } from 'zod'
import { STORES, type StoreName } from '../../../platform/personal.ts'

const records = z.array(z.record(z.string(), z.unknown()))
const stores = Object.fromEntries(
  Object.entries(STORES).map(([name, { about }]) => [name, records.describe(about).optional()]),
) as Record<StoreName, z.ZodOptional<typeof records>>

/**
 * The content of an archive, as `docs/archive.schema.json` describes it. A store without data of the person is absent.
 */
export const ArchiveDocument = z
  .strictObject({
    version: z.literal(1),
    request_id: z.string().regex(/^gdr_[0-9a-z]{26}$/),
    kind: z.enum(['access', 'portability']),
    workspace: z.string().describe('The name of the organisation that asked.'),
    created_at: z.iso.datetime(),
    addresses: z.array(z.strictObject({ kind: z.enum(['email', 'phone']), address: z.string() })),
    stores: z.strictObject(stores),
  })
  .meta({ title: 'Archive of a request for access' })

export type ArchiveDocument = z.infer<typeof ArchiveDocument>

export type About = Omit<ArchiveDocument, 'stores'>

/** Of each store that has something of the person, a way to read its records. */
export type Stores = Map<StoreName, () => AsyncIterable<object>>
