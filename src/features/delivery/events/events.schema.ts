import { z } from 'zod'
import { EVENT_TYPES, type EventType } from './event-types.ts'
import { METRICS } from '../../../survey-engine/model/definition.ts'
import { SEND_CHANNELS } from '../../../platform/ports/provider.ts'

const instant = z.iso.datetime()
/** An id, or a word of a fixed list: nobody types it, and an erasure leaves it. */
const name = z.string().regex(/^[\w-]{1,80}$/)
const omitted = z
  .array(z.enum(['answers', 'text', 'customData']))
  .describe('Sections that the webhook’s toggles removed.')
const sections = {
  score: z
    .object({ metric: z.enum(METRICS), value: z.number(), band: name })
    .nullable()
    .optional()
    .describe('Absent when answers are switched off.'),
  answers: z
    .array(z.object({ questionId: name, type: name, value: z.unknown() }))
    .optional()
    .describe('Answers without text: no open text, “other” text or contact data.'),
  text: z
    .array(z.object({ questionId: name, value: z.unknown() }))
    .optional()
    .describe('Open text and “other” text as strings, contact data as an object of strings.'),
  customData: z.record(z.string(), z.unknown()).optional(),
  omitted,
}

const ResponseData = z.object({
  responseId: name,
  surveyId: name,
  surveyVersion: z.number().int(),
  channel: name,
  language: name,
  startedAt: instant,
  completedAt: instant,
  ...sections,
})

const ChangedResponseData = ResponseData.extend({
  tags: z.array(z.string()).describe('All tags of the response.'),
})
const changed = 'The data is that of `response.completed` as it is now, with the tags.'

const AlertData = z.object({
  alertId: name,
  ruleId: name,
  responseId: name.nullable().describe('Null for a score that fell.'),
  surveyId: name.nullable(),
  status: name,
  priority: z.enum(['low', 'normal', 'high', 'urgent']),
  openedAt: instant,
  resolvedAt: instant.nullable(),
  ...sections,
})

const response = {
  responseId: 'rsp_01jd8m3v6kf2p9q4w5x6y7z8a0',
  surveyId: 'srv_01jd8m2t4he6r7s8t9v0w1x2y3',
  surveyVersion: 1,
  channel: 'web',
  language: 'en',
  startedAt: '2026-03-02T10:00:00.000Z',
  completedAt: '2026-03-02T10:00:42.000Z',
  score: { metric: 'nps', value: 9, band: 'promoter' },
  answers: [
    { questionId: 'q1', type: 'nps', value: 9 },
    { questionId: 'q2', type: 'single', value: 'other' },
  ],
  text: [
    { questionId: 'q2', value: 'The driver waved' },
    { questionId: 'q3', value: 'Fast and friendly.' },
  ],
  customData: { plan: 'pro' },
  omitted: [],
}

const alert = {
  alertId: 'alr_01jd8m4a7bq8s9t0v1w2x3y4z5',
  ruleId: 'rul_01jd8m0a7bq8s9t0v1w2x3y4z5',
  responseId: response.responseId,
  surveyId: response.surveyId,
  status: 'new',
  priority: 'high',
  openedAt: '2026-03-02T10:00:42.000Z',
  resolvedAt: null,
  score: { metric: 'nps', value: 3, band: 'detractor' },
  answers: [{ questionId: 'q1', type: 'nps', value: 3 }],
  text: [{ questionId: 'q3', value: 'Late again.' }],
  customData: { plan: 'pro' },
  omitted: [],
}

interface Description {
  description: string
  data: z.ZodType
  example: object
}

const DESCRIPTIONS: Record<EventType, Description> = {
  'response.completed': {
    description:
      'A response was completed. Sent once, and never for partial, screened-out, over-quota or quarantined ' +
      'responses.',
    data: ResponseData,
    example: response,
  },
  'response.updated': {
    description: `Answers, text, custom data or tags of a completed response changed. ${changed}`,
    data: ChangedResponseData,
    example: { ...response, tags: ['vip'] },
  },
  'response.quarantined': {
    description: `A completed response was taken out of the reports. ${changed}`,
    data: ChangedResponseData,
    example: { ...response, tags: ['suspicious'] },
  },
  'response.released': {
    description:
      `A response that was completed and then quarantined counts again. ${changed} If the response was quarantined ` +
      'before its completion, `response.completed` is sent instead.',
    data: ChangedResponseData,
    example: { ...response, tags: [] },
  },
  'survey.sent': {
    description: 'A provider accepted an invitation by email, SMS or phone. Never names the recipient.',
    data: z.object({ surveyId: name, channel: z.enum(SEND_CHANNELS), acceptedAt: instant }),
    example: { surveyId: response.surveyId, channel: 'email', acceptedAt: '2026-03-02T09:58:00.000Z' },
  },
  'alert.opened': {
    description:
      'An alert rule fired. A 2xx answer with the JSON `{"caseUrl": "https://…"}` (at most 2 KiB) hands back a ticket.',
    data: AlertData,
    example: alert,
  },
  'alert.resolved': {
    description: 'An alert was resolved.',
    data: AlertData,
    example: { ...alert, status: 'resolved', resolvedAt: '2026-03-03T08:00:00.000Z' },
  },
  'lead.created': {
    description: 'A lead was created. Contact data is in `text`.',
    data: z.object({
      leadId: name,
      responseId: name.nullable(),
      surveyId: name.nullable(),
      status: name,
      createdAt: instant,
      text: sections.text,
      omitted,
    }),
    example: {
      leadId: 'lead_01jd8m5c2dv3w4x5y6z7a8b9c0',
      responseId: response.responseId,
      surveyId: response.surveyId,
      status: 'new',
      createdAt: '2026-03-02T10:01:00.000Z',
      text: [{ questionId: 'q4', value: { name: 'Ada', email: 'ada@example.com' } }],
      omitted: [],
    },
  },
  'export.completed': {
    description: 'An export run finished. Fetch its manifest.',
    data: z.object({ exportRunId: name, rows: z.number().int(), parts: z.number().int(), completedAt: instant }),
    example: {
      exportRunId: 'exr_01jd8m6d3ew4x5y6z7a8b9c0d1',
      rows: 1200,
      parts: 1,
      completedAt: '2026-03-02T11:00:00.000Z',
    },
  },
  'export.failed': {
    description: 'An export run failed for good. Its files are removed.',
    data: z.object({ exportRunId: name, code: name, failedAt: instant }),
    example: {
      exportRunId: 'exr_01jd8m6d3ew4x5y6z7a8b9c0d1',
      code: 'destination_failed',
      failedAt: '2026-03-02T11:00:00.000Z',
    },
  },
  'webhook.disabled': {
    description:
      'A webhook was disabled because its target is gone or has only failed for 5 days. Never sent to that webhook.',
    data: z.object({ webhookId: name, reason: z.enum(['gone', 'failing']), disabledAt: instant }),
    example: { webhookId: 'wh_01jd8m1s3gd5q6r7s8t9v0w1x2', reason: 'gone', disabledAt: '2026-03-02T10:05:00.000Z' },
  },
}

export interface CatalogueEntry {
  name: EventType
  description: string
  schema: Record<string, unknown>
  example: Record<string, unknown>
}

/** Every event that a webhook can subscribe to, with the JSON Schema of its body and an example. */
export const CATALOGUE: CatalogueEntry[] = EVENT_TYPES.map((type) => {
  const { description, data, example } = DESCRIPTIONS[type]
  const body = z.object({
    id: name,
    type: z.literal(type),
    createdAt: instant,
    apiVersion: z.literal('v1'),
    data,
  })
  return {
    name: type,
    description,
    schema: z.toJSONSchema(body) as Record<string, unknown>,
    example: {
      id: 'evt_01jd8m3w8mh4s5t6v7w8x9y0z1',
      type,
      createdAt: '2026-03-02T10:00:42.120Z',
      apiVersion: 'v1',
      data: example,
    },
  }
})

export const CatalogueList = z
  .object({
    data: z.array(
      z.object({
        name: z.enum(EVENT_TYPES),
        description: z.string(),
        schema: z.record(z.string(), z.unknown()),
        example: z.record(z.string(), z.unknown()),
      }),
    ),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'WebhookEventList' })

export const EventSubject = z
  .object({ type: z.enum(['response', 'alert', 'lead', 'survey', 'export_run', 'webhook']), id: z.string() })
  .meta({ id: 'EventSubject' })
