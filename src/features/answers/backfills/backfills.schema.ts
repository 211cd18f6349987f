import { z } from 'zod'
import { instant } from '../../../platform/instant.ts'

export const StartBackfill = z
  .strictObject({
    survey_id: z.string().max(60),
    since: instant.describe('Send responses that were completed at or after this time.'),
    dry_run: z.boolean().default(false).describe('Only count the responses. Send nothing.'),
  })
  .meta({ id: 'StartBackfill' })

export const Backfill = z
  .object({
    queued: z.number().int().describe('How many completed responses are sent again, or would be with `dry_run`.'),
    dry_run: z.boolean(),
  })
  .meta({ id: 'Backfill' })

export const ExplainQuery = z.object({ response_id: z.string().max(60) })

export const Explanation = z
  .object({
    response_id: z.string(),
    webhook_id: z.string(),
    enqueued: z.boolean().describe('Whether a delivery of this response was enqueued for this webhook.'),
    reasons: z
      .array(z.object({ check: z.string(), ok: z.boolean(), detail: z.string() }))
      .describe('All checks, in the order in which the server makes them.'),
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
