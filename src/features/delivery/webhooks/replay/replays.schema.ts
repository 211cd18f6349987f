import { z } from 'zod'
import { instant, instantUntil } from '../../../../platform/instant.ts'

export const ReplayMany = z
  .strictObject({
    webhook_id: z.string().max(60).optional(),
    event: z.string().max(60).optional(),
    since: instant.optional(),
    until: instantUntil.optional(),
    dry_run: z.boolean().default(false).describe('True: count, and send nothing.'),
  })
  .meta({ id: 'ReplayDeliveries' })

export const ResendMany = z
  .strictObject({
    webhook_id: z.string().max(60).optional(),
    event: z.string().max(60).optional(),
    survey_id: z.string().max(60).optional(),
    since: instant.optional().describe('Created at or after this time.'),
    until: instantUntil.optional().describe('Created before this time. A date includes the whole day.'),
    dry_run: z.boolean().default(false).describe('True: count, and send nothing.'),
  })
  .meta({ id: 'ResendDeliveries' })

export const Queued = z
  .object({
    queued: z.number().int().describe('How many deliveries will be sent.'),
    disabled: z
      .array(z.object({ webhook_id: z.string(), queued: z.number().int() }))
      .describe('Those among them whose webhook is disabled. They wait until it is enabled.'),
    dry_run: z.literal(true).optional().describe('True for a dry run: nothing was sent. Absent otherwise.'),
  })
  .meta({ id: 'Queued' })

export const SendTest = z
  .strictObject({
    event: z.string().max(60).default('response.completed').describe('The event whose example is sent.'),
  })
  .meta({ id: 'SendWebhookTest' })
