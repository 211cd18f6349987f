import { z } from 'zod'
import { EVENT_TYPES } from '../../events/event-types.ts'
import { secret } from '../../../../platform/schemas/secret-schema.ts'
import { nameLine } from '../../../../platform/schemas/line-schema.ts'

const url = z
  .string()
  .max(2_000)
  .describe(
    'The server posts events to this http(s) URL. In production it must be https. Private and reserved addresses ' +
      'are refused.',
  )
const events = z
  .array(z.string().max(60))
  .max(50)
  .describe(`Events to send. Empty means all of them: ${EVENT_TYPES.join(', ')}.`)
const surveyIds = z
  .array(z.string().max(60))
  .max(500)
  .describe('Surveys whose events are sent. Empty means all surveys.')
const description = z.string().max(500)
const tags = z.array(nameLine(50)).max(20).describe('Your own words, for the people of your team.')
const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'Use letters, digits and dashes, at most 100.')
const headerValue = z
  .string()
  .max(2_000)
  .regex(/^[\x20-\x7e\t]*$/, 'Use ASCII characters in one line.')
const SENT = 'Headers that are sent with each attempt, at most 10. They are stored encrypted, and shown masked.'

export const CreateWebhook = z
  .strictObject({
    url,
    description: description.default(''),
    tags: tags.default([]),
    headers: z.record(headerName, headerValue).default({}).describe(SENT),
    events: events.default([]),
    survey_ids: surveyIds.default([]),
    include_text: z.boolean().default(true).describe('False: open text, "other" text and contact data are never sent.'),
    include_custom_data: z.boolean().default(true),
    include_answers: z.boolean().default(true).describe('False: answers and the score are never sent.'),
  })
  .meta({ id: 'CreateWebhook' })

export const UpdateWebhook = z
  .strictObject({
    url,
    description,
    tags,
    headers: z
      .record(headerName, headerValue.nullable())
      .nullable()
      .describe(`${SENT} Headers that you leave out stay. Null removes one header, or all.`),
    events,
    survey_ids: surveyIds,
    include_text: z.boolean(),
    include_custom_data: z.boolean(),
    include_answers: z.boolean(),
    enabled: z.boolean().describe('False: deliveries are still logged, and wait.'),
  })
  .partial()
  .meta({ id: 'UpdateWebhook' })

export const RotateSecret = z
  .strictObject({
    overlap_hours: z
      .number()
      .int()
      .min(0)
      .max(72)
      .default(24)
      .describe('How long `webhook-signature` also has a signature with the old secret.'),
  })
  .meta({ id: 'RotateSecret' })

export const Webhook = z
  .object({
    id: z.string(),
    url: z
      .string()
      .describe('The query is masked without `integrations.manage`, because receivers keep secrets there.'),
    description: z.string(),
    tags: z.array(z.string()),
    headers: z.record(z.string(), z.string()).describe('Your headers. The values are masked.'),
    events: z.array(z.enum(EVENT_TYPES)),
    survey_ids: z.array(z.string()),
    include_text: z.boolean(),
    include_custom_data: z.boolean(),
    include_answers: z.boolean(),
    enabled: z.boolean(),
    disabled_reason: z
      .enum(['manual', 'gone', 'failing', 'receiver_expired'])
      .nullable()
      .describe(
        'Why it is disabled: `manual`, `gone` (the target answered 410), `failing` (5 days of failures) or `receiver_expired` (its test ' +
          'receiver has ended).',
      ),
    secret: secret(
      z
        .string()
        .nullable()
        .describe(
          'Masked. Only the answers of create and rotate show it in full. Null for a legacy webhook, whose deliveries ' +
            'are unsigned.',
        ),
    ),
    previous_secret_expires_at: z.iso
      .datetime()
      .nullable()
      .describe('Until then `webhook-signature` also has a signature with the secret before the last rotation.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    last_delivered_at: z.iso.datetime().nullable(),
    last_failed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Webhook' })

export const TestWebhook = z
  .strictObject({
    url,
    event: z.string().max(60).default('response.completed').describe('The event whose example is posted.'),
  })
  .meta({ id: 'TestWebhook' })

export const TestResult = z
  .object({
    status: z.number().int().nullable().describe('The HTTP status of the target. Null if it did not answer.'),
    ok: z.boolean(),
    latency_ms: z.number().int().nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: 'WebhookTestResult' })
