import { z } from 'zod'
import { pageOf } from '../../../http/routes/pagination.ts'
import { instant } from '../../../platform/instant.ts'

const MOST_NAMED = 200

const choices = {
  event_ids: z
    .enum(['same', 'new'])
    .default('same')
    .describe(
      '`same`: each body keeps the `id` of its first event, so a receiver can skip events that it has. ' +
        '`new`: each body has an `id` of its own.',
    ),
  dry_run: z.boolean().default(false).describe('Only count the responses. Send nothing.'),
}

export const StartBackfill = z
  .union([
    z.strictObject({
      survey_id: z.string().max(60),
      since: instant.describe('Send responses that were completed at or after this time.'),
      ...choices,
    }),
    z.strictObject({
      response_ids: z
        .array(z.string().max(60))
        .min(1)
        .max(MOST_NAMED)
        .describe('Send these completed responses. An id that appears twice is sent once.'),
      ...choices,
    }),
  ])
  .meta({ id: 'StartBackfill' })

export const Backfill = z
  .object({
    queued: z
      .number()
      .int()
      .describe('The number of completed responses that are sent again. With `dry_run` they are only counted.'),
    dry_run: z.boolean(),
    id: z.string().nullable().describe('The backfill, to follow its progress. Null if nothing is sent.'),
  })
  .meta({ id: 'Backfill' })

export const BackfillJob = z
  .object({
    id: z.string(),
    webhook_id: z.string(),
    survey_id: z.string().nullable().describe('Null if the responses were named.'),
    since: z.iso.datetime().nullable(),
    response_ids: z.array(z.string()).nullable().describe('The named responses.'),
    until: z.iso.datetime().describe('When it was started. Later responses are sent by their own events.'),
    event_ids: z.enum(['same', 'new']),
    status: z.enum(['running', 'completed']).describe('`completed`: every response is enqueued.'),
    progress: z.object({
      total: z.number().int().describe('Responses at the start.'),
      done: z.number().int().describe('Responses enqueued so far.'),
    }),
    created_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'BackfillJob' })
export const BackfillList = pageOf(BackfillJob).meta({ id: 'BackfillList' })

export const ExplainQuery = z.strictObject({ response_id: z.string().max(60) })

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

export const ResponseExplanation = z
  .object({
    response_id: z.string(),
    webhooks: z
      .array(
        Explanation.omit({ response_id: true }).extend({
          url: z.string(),
          outcome: z
            .enum(['delivered', 'waiting', 'dead_lettered', 'not_sent'])
            .describe('`waiting`: an attempt is still to come. `not_sent`: `reasons` has the failed checks.'),
        }),
      )
      .describe('Every webhook of the workspace, newest first.'),
  })
  .meta({ id: 'ResponseExplanation' })
