import { z } from 'zod'
import { Webhook } from '../registration/webhooks.schema.ts'
import { countedPageOf, listQuery, PageQuery } from '../../../../http/routes/pagination.ts'
import { instant, instantUntil } from '../../../../platform/instant.ts'
import { EventSubject } from '../../events/events.schema.ts'

export const DeliveryStatus = z.enum(['pending', 'delivered', 'failed'])

export const DeliveriesQuery = listQuery('webhook_deliveries').extend({
  status: z
    .enum(['pending', 'delivered', 'failed', 'dead_lettered'])
    .optional()
    .describe('`failed` includes dead-lettered deliveries.'),
  webhook_id: z.string().max(60).optional(),
  event: z.string().max(60).optional(),
  survey_id: z.string().max(60).optional(),
  event_id: z.string().max(60).optional(),
  subject_id: z
    .string()
    .max(60)
    .optional()
    .describe('The id of a response, an alert, a lead, a survey, an export run or a webhook that the event is about.'),
  since: instant.optional().describe('Created at or after this time.'),
  until: instantUntil.optional().describe('Created before this time. A date includes the whole day.'),
})

export const Delivery = z
  .object({
    id: z.string(),
    webhook_id: z.string(),
    event: z.string(),
    event_id: z.string().describe('The `id` in the body. It stays the same for every attempt and replay.'),
    survey_id: z.string().nullable(),
    status: DeliveryStatus,
    dead_lettered: z.boolean().describe('True: the attempts are over, and only a replay sends it again.'),
    attempts: z
      .number()
      .int()
      .describe('Attempts since it was enqueued or last replayed. `attempt_log` lists the latest 100 of all.'),
    max_attempts: z.number().int(),
    next_attempt_at: z.iso
      .datetime()
      .nullable()
      .describe(
        'When the next attempt is due; for an anonymous survey, the end of that day. Null if the delivery has ended ' +
          'or the webhook is disabled.',
      ),
    waiting: z
      .boolean()
      .describe('It has not ended. Without a `next_attempt_at` it waits until its webhook is enabled.'),
    last_status_code: z.number().int().nullable(),
    last_error: z.string().nullable(),
    last_latency_ms: z.number().int().nullable(),
    created_at: z.iso.datetime().describe('For an anonymous survey: the start of the day, as all moments of it.'),
    delivered_at: z.iso.datetime().nullable(),
    test: z.boolean().describe('An example that somebody sent to try the webhook.'),
    subject: EventSubject.nullable().describe(
      'The thing that the event is about. Null for a response of an anonymous survey, and for a test.',
    ),
  })
  .meta({ id: 'WebhookDelivery' })

export const DeliveryList = countedPageOf(Delivery)
  .extend({
    counts: z
      .object({
        pending: z.number().int(),
        delivered: z.number().int(),
        failed: z.number().int(),
        dead_lettered: z.number().int(),
      })
      .describe('Under all parameters but `status`. With `filter`: of the 10,000 newest that match.'),
  })
  .meta({ id: 'WebhookDeliveryList' })

const Attempt = z.object({
  n: z.number().int(),
  at: z.iso.datetime(),
  status_code: z.number().int().nullable(),
  latency_ms: z.number().int().nullable(),
  error: z.string().nullable(),
  response_excerpt: z.string().nullable(),
  timestamp: z.number().int().nullable().describe('The signed Unix time, in seconds.'),
  signature: z.string().nullable(),
  body_sha256: z.string(),
  omitted: z.array(z.string()),
  url: z.string().nullable().describe('The address that it was sent to.'),
  request_headers: z
    .record(z.string(), z.string())
    .nullable()
    .describe('As sent. The values of the webhook’s own headers are masked. Null for an anonymous survey.'),
  response_headers: z
    .record(z.string(), z.string())
    .nullable()
    .describe('Headers of the answer. Cookies, tokens and other words that may be private are `***`.'),
  address: z.string().nullable().describe('The address of the host at the last connection.'),
  superseded: z
    .boolean()
    .describe(
      'An erasure or the deletion of the webhook came while the request was in flight. Its answer is not kept.',
    ),
})

export const DeliveryDetail = Delivery.extend({
  payload: z.string().nullable().describe('The exact body, as text.'),
  payload_changed: z
    .boolean()
    .describe('The body differs from the last one sent, because a toggle changed or an erasure removed something.'),
  attempt_log: z.array(Attempt),
}).meta({ id: 'WebhookDeliveryDetail' })

const figures = {
  attempts: z.number().int(),
  succeeded: z.number().int(),
  failed: z.number().int(),
  success_rate: z.number().nullable().describe('In per cent. Null without attempts.'),
  p50_latency_ms: z.number().int().nullable().describe('The median time of an answer. At most 5 % off.'),
  p95_latency_ms: z.number().int().nullable(),
}

export const WebhookHealth = z
  .object({
    webhook_id: z.string(),
    since: z.iso.datetime(),
    until: z.iso.datetime(),
    ...figures,
    last_failures: z
      .array(Delivery)
      .describe('The latest deliveries that failed and were not delivered since, at most 10, newest first.'),
    by_hour: z.array(z.object({ hour: z.iso.datetime(), ...figures })).describe('168 hours, the oldest first.'),
  })
  .meta({ id: 'WebhookHealth' })

export const WebhookHealthSummary = z
  .object({
    state: z.enum(['new', 'ok', 'failing', 'disabled']),
    attempts: z.number().int(),
    success_rate: figures.success_rate,
    p95_latency_ms: figures.p95_latency_ms,
    waiting: z
      .number()
      .int()
      .nullable()
      .describe('Deliveries that have not ended. Null without `integrations.manage`.'),
    dead_lettered: z.number().int().nullable().describe('Null without `integrations.manage`.'),
    failing_since: z.iso.datetime().nullable().describe('The first failure after the last success.'),
    last_failure: z
      .object({
        at: z.iso.datetime(),
        status_code: z.number().int().nullable(),
        error: z.string().nullable(),
      })
      .nullable()
      .describe('Null without a failure, and without `integrations.manage`.'),
    by_6h: z
      .array(z.object({ at: z.iso.datetime(), attempts: z.number().int(), failed: z.number().int() }))
      .describe('28 times 6 hours, the oldest first.'),
  })
  .meta({ id: 'WebhookHealthSummary', description: 'The last 7 days. Tests do not count.' })

export const WebhookWithHealth = Webhook.extend({
  health: WebhookHealthSummary.optional().describe('Only with `include=health`.'),
}).meta({ id: 'WebhookWithHealth' })

export const WebhooksQuery = PageQuery.extend({ include: z.enum(['health']).optional() })
