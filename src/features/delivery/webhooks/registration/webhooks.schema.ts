import { z } from 'zod'
import { EVENT_TYPES } from '../../events/event-types.ts'

const url = z
  .string()
  .max(2_000)
  .describe('Where events are posted. http(s), https only in production; private and reserved addresses are refused.')
const events = z
  .array(z.string().max(60))
  .max(50)
  .describe(`Empty: every event. Known: ${EVENT_TYPES.join(', ')}.`)
const surveyIds = z
  .array(z.string().max(60))
  .max(500)
  .describe('Empty: every survey. Otherwise only events about these.')
const description = z.string().max(500)

export const CreateWebhook = z
  .strictObject({
    url,
    description: description.default(''),
    events: events.default([]),
    survey_ids: surveyIds.default([]),
    include_text: z.boolean().default(true).describe('Off: open text, "other" text and contact data never leave.'),
    include_custom_data: z.boolean().default(true),
    include_answers: z.boolean().default(true).describe('Off: answers and the score never leave.'),
  })
  .meta({ id: 'CreateWebhook' })

export const UpdateWebhook = z
  .strictObject({
    url,
    description,
    events,
    survey_ids: surveyIds,
    include_text: z.boolean(),
    include_custom_data: z.boolean(),
    include_answers: z.boolean(),
    enabled: z.boolean().describe('While off, events are still written to the ledger and wait.'),
  })
  .partial()
  .meta({ id: 'UpdateWebhook' })

export const Webhook = z
  .object({
    id: z.string(),
    url: z.string(),
    description: z.string(),
    events: z.array(z.string()),
    survey_ids: z.array(z.string()),
    include_text: z.boolean(),
    include_custom_data: z.boolean(),
    include_answers: z.boolean(),
    enabled: z.boolean(),
    disabled_reason: z
      .string()
      .nullable()
      .describe('`manual`, `gone` (the target answered 410) or `failing` (5 days of failures).'),
    secret: z
      .string()
      .nullable()
      .describe(
        'Masked; in full only in the answers to create and rotate. Null: a legacy registration, delivered unsigned.',
      ),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    last_delivered_at: z.iso.datetime().nullable(),
    last_failed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Webhook' })

export const TestWebhook = z
  .strictObject({
    url,
    event: z.string().max(60).default('response.completed').describe('Which event’s example is posted.'),
  })
  .meta({ id: 'TestWebhook' })

export const TestResult = z
  .object({
    status: z.number().int().nullable().describe('The target’s HTTP status; null when it never answered.'),
    ok: z.boolean(),
    latency_ms: z.number().int().nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: 'WebhookTestResult' })
