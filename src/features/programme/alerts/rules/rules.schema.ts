import { z } from 'zod'
import { pageOf } from '../../../../http/routes/pagination.ts'
import { filterBody } from '../../../../platform/filter/schema.ts'
import { nameLine } from '../../../../platform/schemas/line-schema.ts'
import { METRICS } from '../../../../survey-engine/model/definition.ts'

export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const
const MOST_MINUTES = 525_600
const MOST_SURVEYS = 100

const minutes = z.number().int().min(1).max(MOST_MINUTES).nullable()
const member = z.string().max(60)
const surveyIds = z.array(z.string().max(60)).max(MOST_SURVEYS).describe('Empty: every survey.')

const Trigger = z
  .discriminatedUnion('on', [
    z.strictObject({
      on: z.literal('response'),
      filter: filterBody('responses').describe(
        'Each completed response that passes opens an alert. A test of `topic` or `sentiment`, or a `search`, waits ' +
          'until the text is classified.',
      ),
    }),
    z.strictObject({
      on: z.literal('score_drop'),
      metric: z.enum(METRICS),
      window_days: z.number().int().min(1).max(365),
      drop: z.number().positive().max(200).describe('How many points the score must fall from one window to the next.'),
      min_n: z.number().int().min(1).max(1_000_000).describe('The fewest responses that each window needs.'),
    }),
  ])
  .meta({ id: 'AlertTrigger' })

const notify = {
  email: z.array(member).max(50).describe('Members who get a mail.'),
  owner: z.boolean().describe('The owner gets one too.'),
}

const fields = {
  name: nameLine(200),
  enabled: z.boolean(),
  survey_ids: surveyIds,
  trigger: Trigger,
  priority: z.enum(PRIORITIES),
  owner_id: member.nullable(),
  due_in_minutes: minutes,
  business_hours: z.boolean().describe('Minutes count only in the business hours of the workspace.'),
  escalate_after_minutes: minutes.describe('Escalates an alert that nobody has acknowledged by then.'),
  escalate_to: member.nullable().describe('The member who becomes the owner of an escalated alert.'),
}

export const AlertRule = z
  .object({
    id: z.string(),
    ...fields,
    trigger: z.record(z.string(), z.unknown()),
    notify: z.object({ email: z.array(z.string()), owner: z.boolean() }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'AlertRule' })
export const AlertRuleList = pageOf(AlertRule).meta({ id: 'AlertRuleList' })

export const CreateAlertRule = z
  .strictObject({
    ...fields,
    enabled: fields.enabled.default(true),
    survey_ids: surveyIds.default([]),
    priority: fields.priority.default('normal'),
    owner_id: fields.owner_id.default(null),
    due_in_minutes: minutes.default(null),
    business_hours: fields.business_hours.default(false),
    escalate_after_minutes: fields.escalate_after_minutes.default(null),
    escalate_to: fields.escalate_to.default(null),
    notify: z
      .strictObject({ email: notify.email.default([]), owner: notify.owner.default(true) })
      .default({ email: [], owner: true }),
  })
  .meta({ id: 'CreateAlertRule' })

export const UpdateAlertRule = z
  .strictObject({ ...fields, notify: z.strictObject(notify).partial() })
  .partial()
  .meta({ id: 'UpdateAlertRule' })

export const PreviewAlertRule = z
  .strictObject({
    trigger: Trigger,
    survey_ids: surveyIds.default([]),
    days: z.number().int().min(1).max(365).default(30).describe('How far to look back.'),
  })
  .meta({ id: 'PreviewAlertRule' })

export const AlertRulePreview = z
  .object({
    count: z.number().int().describe('Alerts that the rule would have opened.'),
    sample: z
      .array(
        z.object({
          response_id: z.string().nullable(),
          survey_id: z.string(),
          completed_at: z.iso.datetime(),
          score: z.number().nullable(),
          excerpt: z.string().nullable(),
        }),
      )
      .describe('The newest ten.'),
  })
  .meta({ id: 'AlertRulePreview' })

export type RuleTrigger = z.output<typeof Trigger>
export type Priority = (typeof PRIORITIES)[number]
