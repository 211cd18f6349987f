import { z } from 'zod'
import { IS_A_MASK, isMask } from '../../../../platform/schemas/secret-schema.ts'
import { filteredAs } from '../../../../platform/fields/lists.ts'
import { filterBody } from '../../../../platform/filter/schema.ts'
import { own } from '../../../../survey-engine/model/record.ts'
import { DELIMITERS, WORDS, FORMATS, SOURCES, type SourceName } from './definition.ts'

const Column = z.strictObject({
  field: z.string().min(1).max(200),
  header: z.string().min(1).max(200).optional().describe('The name of the column. Default: the field.'),
})

// Generators of clients cannot name a sign, so the document has the words. The signs are taken too.
const Delimiter = z.preprocess((value) => own(WORDS, String(value)) ?? value, z.enum(DELIMITERS))

const options = {
  delimiter: Delimiter.describe('Of CSV. The sign itself is taken too.'),
  bom: z.boolean().describe('Begin a CSV with a byte order mark, which some spreadsheets need.'),
  answers: z
    .enum(['wide', 'long'])
    .describe('For responses: a column for each question, or a row for each answered cell.'),
  labels: z.enum(['ids', 'text']).describe('For responses: ids, or the words of the survey.'),
  language: z.string().max(35).nullable().describe('The language of these words. Default: the survey’s own.'),
}

const Options = z
  .strictObject({
    delimiter: options.delimiter.default('comma'),
    bom: options.bom.default(false),
    answers: options.answers.default('wide'),
    labels: options.labels.default('ids'),
    language: options.language.default(null),
  })
  .meta({ id: 'ExportOptions' })

const isSecret = (text: string) => !isMask(text)

const Bucket = z.strictObject({
  type: z.literal('s3'),
  bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'Use the name of a bucket.'),
  region: z.string().regex(/^[a-z0-9-]{1,40}$/, 'Use the name of a region, such as eu-central-1.'),
  endpoint: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .optional()
    .describe('For a store other than AWS.'),
  prefix: z.string().max(200).optional(),
  access_key_id: z.string().min(1).max(200).refine(isSecret, IS_A_MASK),
  secret_access_key: z.string().min(1).max(500).refine(isSecret, IS_A_MASK),
})

export const NewDestination = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('download') }),
    z.strictObject({ type: z.literal('email'), recipients: z.array(z.string().max(60)).min(1).max(50) }),
    Bucket,
  ])
  .describe(
    'Where the files of a run go. Of a bucket only the name and the endpoint are shown again. An email has a link to sign in and download.',
  )

export const Destination = z
  .object({
    type: z.enum(['download', 'email', 's3']),
    label: z.string(),
    configured: z.literal(true),
    endpoint: z.string().nullable().optional().describe('Of a bucket: the scheme and host. Null is AWS.'),
    bucket: z.string().optional().describe('Of a bucket: its name.'),
  })
  .meta({ id: 'ExportDestination' })

const source = z.enum(SOURCES)
const members = {
  source,
  survey_id: z.string().max(60).nullable(),
  columns: z.array(Column).min(1).max(1_000).nullable().describe('Absent: all, in their order.'),
  filter: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('The same grammar as in lists. The source of texts takes the fields of responses.'),
  format: z.enum(FORMATS),
  options: Options,
  part_rows: z.number().int().min(100).max(1_000_000).describe('Rows of the source in one file.'),
  destination: NewDestination,
}

/** The fields that define an export, with defaults. */
export const NEW_DEFINITION = {
  source,
  survey_id: members.survey_id.default(null),
  columns: members.columns.default(null),
  filter: members.filter.default(null),
  format: members.format.default('csv'),
  options: Options.prefault({}),
  part_rows: members.part_rows.default(100_000),
  destination: NewDestination.default({ type: 'download' }),
}

export const NewDefinitionShape = z.strictObject(NEW_DEFINITION)

/** Parts of it, for a change. */
export const SOME_DEFINITION = z
  .strictObject({ ...members, options: z.strictObject(options).partial() })
  .omit({ source: true })
  .partial().shape

/** As it is shown. */
export const DEFINITION = {
  ...members,
  columns: members.columns,
  destination: Destination,
}

/** Reports a filter that does not fit its source. */
export function checkFilter(
  { source: name, filter }: { source?: SourceName | undefined; filter?: object | null | undefined },
  context: z.RefinementCtx,
): void {
  if (!name || !filter) return
  const read = filterBody(filteredAs(name)).safeParse(filter)
  for (const { path, message } of read.error?.issues ?? [])
    context.addIssue({ code: 'custom', path: ['filter', ...path], message })
}
