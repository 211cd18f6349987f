import { z } from 'zod'
import { withZoneSpelled } from '../../../../platform/time-zones.ts'
import { PageQuery, pageOf } from '../../../../http/routes/pagination.ts'
import { ACTING } from '../../../access/api-keys/api-keys.schema.ts'

const cron = z
  .string()
  .trim()
  .min(9)
  .max(100)
  .describe('Minute, hour, day of the month, month, day of the week, such as `0 6 * * 1`.')
const timezone = z
  .string()
  .max(60)
  .overwrite(withZoneSpelled)
  .describe('An IANA time zone. Default: that of the workspace.')
const time = z.iso.datetime().nullable()

export const CreateExportSchedule = z
  .strictObject({
    template_id: z.string().max(60),
    cron,
    timezone: timezone.optional(),
    enabled: z.boolean().default(true),
  })
  .meta({ id: 'CreateExportSchedule' })

export const UpdateExportSchedule = z
  .strictObject({ template_id: z.string().max(60), cron, timezone, enabled: z.boolean() })
  .partial()
  .meta({ id: 'UpdateExportSchedule' })

export const ExportSchedule = z
  .object({
    id: z.string(),
    template_id: z.string(),
    cron: z.string(),
    timezone: z.string(),
    enabled: z.boolean(),
    next_run_at: time.describe('Null while it is off or paused, or if its time never comes.'),
    last_run_id: z.string().nullable(),
    ...ACTING,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'ExportSchedule' })

export const ExportScheduleQuery = PageQuery.strict()
export const ExportScheduleList = pageOf(ExportSchedule).meta({ id: 'ExportScheduleList' })
