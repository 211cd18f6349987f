import { z } from 'zod'
import { countedPageOf, listQuery, PageQuery, pageOf } from '../../../http/routes/pagination.ts'
import { SEND_CHANNELS } from '../../../platform/ports/provider.ts'
import { SEND_STATUSES, type SendStatus } from './send-state.ts'

const channel = z.enum(SEND_CHANNELS)
const time = z.iso.datetime().nullable()

export const SendQuery = listQuery('sends')
  .extend({
    status: z.enum(SEND_STATUSES).optional(),
    channel: channel.optional(),
    survey_id: z.string().max(60).optional(),
    invitation_id: z.string().max(60).optional(),
  })
  .strict()

export const Send = z
  .object({
    id: z.string(),
    invitation_id: z.string(),
    survey_id: z.string(),
    channel,
    recipient: z.string().describe('The masked address.'),
    language: z.string().nullable(),
    agent_id: z.string().nullable(),
    reminder: z.number().int().describe('0 is the invitation, 1 its first reminder.'),
    status: z.enum(SEND_STATUSES).describe('The most important status so far. The times show the others.'),
    reason: z
      .string()
      .nullable()
      .describe(
        'Why it was skipped or failed: `suppressed`, `survey_not_live`, `answered`, `unverified`, ' +
          '`provider_failed`, `provider_suppressed`, or a code from the provider.',
      ),
    response_id: z.string().nullable(),
    send_at: time.describe('When it is sent or tried again. Null once it is final.'),
    created_at: z.iso.datetime(),
    accepted_at: time,
    delivered_at: time,
    bounced_at: time,
    complained_at: time,
    opened_at: time,
    clicked_at: time,
    started_at: time,
    completed_at: time,
  })
  .meta({
    id: 'Send',
    description:
      'One message to one person. Of an anonymous survey, all times are days, and none shows what the person did.',
  })

export const SendList = countedPageOf(Send)
  .extend({
    counts: z
      .object(
        Object.fromEntries(SEND_STATUSES.map((name) => [name, z.number().int()])) as Record<SendStatus, z.ZodNumber>,
      )
      .describe('Under all parameters but `status`. With `filter`: of the 10,000 newest that match.'),
  })
  .meta({ id: 'SendList' })

export const SurveyDeliveryQuery = PageQuery.extend({
  survey_id: z.string().max(60).optional(),
  channel: channel.optional(),
}).strict()

export const SurveyDelivery = z
  .object({ id: z.string(), survey_id: z.string(), channel, accepted_at: z.iso.datetime() })
  .meta({
    id: 'SurveyDelivery',
    description: 'A record that a provider accepted an invitation. It says nothing about the recipient.',
  })

export const SurveyDeliveryList = pageOf(SurveyDelivery).meta({ id: 'SurveyDeliveryList' })
