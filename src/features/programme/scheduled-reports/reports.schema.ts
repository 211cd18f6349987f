import { z } from 'zod'
import { PageQuery, pageOf } from '../../../http/routes/pagination.ts'
import { ACTING } from '../../access/api-keys/api-keys.schema.ts'
import { timezone } from '../../answers/reporting/report/reporting.schema.ts'
import { nextTime } from '../../../platform/work/cron.ts'
import { nameLine } from '../../../platform/schemas/line-schema.ts'

const isCron = (cron: string) => nextTime({ cron, timezone: 'UTC' }, new Date(0)) instanceof Date

const schedule = z
  .strictObject({
    cron: z
      .string()
      .trim()
      .max(100)
      .refine(isCron, 'Use a cron expression such as `0 8 * * 1`: minute, hour, day, month, day of the week.'),
    timezone: timezone.default('UTC'),
  })
  .nullable()
  .describe('When it is mailed. Null: only when somebody starts it.')

const fields = {
  name: nameLine(200),
  dashboard_id: z.string().max(60),
  schedule,
  recipients: z.array(z.string().max(60)).max(100).describe('Members who get the mail.'),
  format: z.enum(['html', 'pdf']),
  enabled: z.boolean().describe('Whether its schedule runs.'),
}

export const CreateReport = z
  .strictObject({
    ...fields,
    schedule: fields.schedule.default(null),
    recipients: fields.recipients.default([]),
    format: fields.format.default('html'),
    enabled: fields.enabled.default(true),
  })
  .meta({ id: 'CreateReport' })

export const UpdateReport = z.strictObject(fields).partial().meta({ id: 'UpdateReport' })

export const DashboardReport = z
  .object({
    id: z.string(),
    ...fields,
    schedule: z.object({ cron: z.string(), timezone: z.string() }).nullable(),
    next_run_at: z.iso.datetime().nullable(),
    ...ACTING,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'DashboardReport' })

export const ReportList = pageOf(DashboardReport).meta({ id: 'DashboardReportList' })
export const ReportListQuery = PageQuery.strict()

export const ReportRun = z
  .object({
    id: z.string(),
    report_id: z.string(),
    status: z.enum(['waiting', 'running', 'completed', 'failed']),
    progress: z
      .object({ done: z.number().int(), total: z.number().int() })
      .describe('First the document, then the mails.'),
    scheduled_for: z.iso.datetime().nullable().describe('The time of the schedule. Null if somebody started it.'),
    recipients: z.array(z.string()),
    format: z.enum(['html', 'pdf']),
    error: z.string().nullable(),
    created_at: z.iso.datetime(),
    completed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ReportRun' })

export const ReportRunList = pageOf(ReportRun).meta({ id: 'ReportRunList' })
