import { z } from 'zod'
import { countedPageOf, listQuery } from '../../../http/routes/pagination.ts'
import { instant } from '../../../platform/instant.ts'
import { ALERT_STATUSES } from './alert-steps.ts'
import { PRIORITIES } from './rules/rules.schema.ts'

const status = z.enum(ALERT_STATUSES)
const moment = z.iso.datetime().nullable()

export const Alert = z
  .object({
    id: z.string(),
    rule_id: z.string(),
    response_id: z.string().nullable(),
    survey_id: z.string().nullable(),
    person_id: z.string().nullable().describe('The person of the response, as the response names them.'),
    status,
    priority: z.enum(PRIORITIES),
    owner_id: z.string().nullable(),
    opened_at: z.iso.datetime(),
    due_at: moment,
    overdue: z.boolean().describe('It is due, and neither resolved nor closed.'),
    escalated_at: moment,
    acknowledged_at: moment,
    resolved_at: moment,
    closed_at: moment,
    root_cause: z.string().nullable(),
    resolution: z.string().nullable(),
    score: z.number().nullable(),
    excerpt: z.string().nullable().describe('The beginning of the respondent’s words.'),
    case_url: z.string().nullable().describe('The ticket in another system.'),
    comment_count: z.number().int(),
  })
  .meta({ id: 'Alert' })

export const AlertList = z
  .object({
    ...countedPageOf(Alert).shape,
    counts: z
      .object(
        Object.fromEntries(ALERT_STATUSES.map((name) => [name, z.number().int()])) as Record<
          (typeof ALERT_STATUSES)[number],
          z.ZodNumber
        >,
      )
      .describe('The counts of all alerts that pass the filter.'),
  })
  .meta({ id: 'AlertList' })

export const AlertDetail = Alert.extend({
  timeline: z
    .array(
      z.object({
        at: z.iso.datetime(),
        actor: z.string().nullable().describe('A member, an API key or a webhook. Null: the server.'),
        kind: z
          .string()
          .describe(
            '`opened`, `escalated`, `comment`, or the changed field: `status`, `owner_id`, `priority`, `due_at`, ' +
              '`root_cause`, `resolution`, `case_url`.',
          ),
        from: z.string().nullable(),
        to: z.string().nullable(),
        text: z.string().nullable(),
      }),
    )
    .describe('Oldest first.'),
}).meta({ id: 'AlertDetail' })

export const AlertQuery = listQuery('alerts')

const words = z.string().trim().min(1).max(5_000)

export const CASE_URL = z
  .url({ protocol: /^https$/, error: 'Use an https URL.' })
  .max(2_000)
  .refine((text) => !/^[^/]*\/\/[^/]*@/.test(text), 'Leave out the user and password.')

export const UpdateAlert = z
  .strictObject({
    status: status.describe('A step forward, or `reopened` after `resolved` and `closed`.'),
    owner_id: z.string().max(60).nullable(),
    priority: z.enum(PRIORITIES),
    due_at: instant.nullable(),
    root_cause: words.nullable(),
    resolution: words.nullable(),
    case_url: CASE_URL.nullable(),
  })
  .partial()
  .meta({ id: 'UpdateAlert' })

export const AddComment = z.strictObject({ text: words }).meta({ id: 'AddAlertComment' })
