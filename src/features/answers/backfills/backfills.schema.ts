import { z } from 'zod'
import { instant } from '../../../platform/instant.ts'

export const StartBackfill = z
  .strictObject({
    survey_id: z.string().max(60),
    since: instant.describe('Responses completed at or after.'),
    dry_run: z.boolean().default(false).describe('Only count.'),
  })
  .meta({ id: 'StartBackfill' })

export const Backfill = z
  .object({
    queued: z.number().int().describe('Completed responses that are, or with `dry_run` would be, sent again.'),
    dry_run: z.boolean(),
  })
  .meta({ id: 'Backfill' })

export const ExplainQuery = z.object({ response_id: z.string().max(60) })

export const Explanation = z
  .object({
    response_id: z.string(),
    webhook_id: z.string(),
    enqueued: z.boolean().describe('Whether a delivery of this response to this webhook was enqueued.'),
    reasons: z
      .array(z.object({ check: z.string(), ok: z.boolean(), detail: z.string() }))
      .describe('Each check in the order in which it is made.'),
    deliveries: z.array(
      z.object({
        id: z.string(),
        status: z.string(),
        dead_lettered: z.boolean(),
        attempts: z.number().int(),
        last_error: z.string().nullable(),
        next_attempt_at: z.iso.datetime().nullable(),
      }),
    ),
  })
  .meta({ id: 'WebhookExplanation' })
