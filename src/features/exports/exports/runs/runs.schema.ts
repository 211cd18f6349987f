import { z } from 'zod'
import { Count, countedPageOf, CountedPageQuery } from '../../../../http/routes/pagination.ts'
import { checkFilter, DEFINITION, NEW_DEFINITION } from '../definition/definition.schema.ts'
import { FORMATS, SOURCES } from '../definition/definition.ts'
import { RUN_STATUSES } from './run-status.ts'

const Inline = z.strictObject(NEW_DEFINITION).superRefine(checkFilter)

export const CreateExportRun = z
  .union([z.strictObject({ template_id: z.string().max(60) }), Inline], {
    error: 'Give either template_id, or source and the other fields of a template.',
  })
  .meta({ id: 'CreateExportRun' })

const time = z.iso.datetime()

export const ExportRun = z
  .object({
    id: z.string(),
    template_id: z.string().nullable(),
    source: z.enum(SOURCES),
    survey_id: DEFINITION.survey_id,
    columns: DEFINITION.columns,
    filter: DEFINITION.filter,
    format: z.enum(FORMATS),
    options: DEFINITION.options,
    part_rows: DEFINITION.part_rows,
    status: z.enum(RUN_STATUSES),
    phase_started_at: time,
    snapshot_at: time.describe('Rows that came later are not in it.'),
    progress: z.object({
      rows: z.number().int().describe('Rows written so far.'),
      parts: z.number().int(),
      total_rows: z.number().int().describe('Rows of the snapshot.'),
    }),
    created_by: z.string().nullable().describe('A user or an API key. Null for a schedule.'),
    created_at: time,
    completed_at: time.nullable(),
    expires_at: time.nullable(),
    error: z.object({ code: z.string(), detail: z.string() }).nullable(),
    cleanup: z
      .object({
        objects_found: z.number().int().describe('Files that the store still listed at the last check: 0.'),
        verified_at: time,
      })
      .nullable(),
  })
  .meta({ id: 'ExportRun' })

export const ExportPreview = z
  .object({
    columns: z.array(z.object({ field: z.string(), header: z.string(), type: z.string() })),
    rows: z.array(z.array(z.string())).describe('At most 10, the newest first: cells as the file would have them.'),
    count: Count.describe('The rows of the source.'),
  })
  .meta({ id: 'ExportPreview' })

export const ExportRunQuery = CountedPageQuery.extend({
  status: z.enum(RUN_STATUSES).optional(),
  template_id: z.string().max(60).optional(),
}).strict()

export const ExportRunList = countedPageOf(ExportRun).meta({ id: 'ExportRunList' })

export const ExportManifest = z
  .object({
    run_id: z.string(),
    source: z.enum(SOURCES),
    format: z.enum(FORMATS),
    snapshot_at: time,
    schema: z.array(
      z.object({
        field: z.string(),
        header: z.string(),
        type: z.enum(['text', 'number', 'date', 'boolean', 'list', 'json']),
      }),
    ),
    rows: z.number().int().describe('The rows of all parts, without headers.'),
    parts: z.array(
      z.object({
        n: z.number().int(),
        name: z.string(),
        rows: z.number().int(),
        bytes: z.number().int(),
        sha256: z.string(),
      }),
    ),
  })
  .meta({ id: 'ExportManifest' })
