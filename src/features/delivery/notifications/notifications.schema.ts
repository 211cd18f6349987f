import { z } from 'zod'
import { PageQuery, pageOf } from '../../../http/pagination.ts'
import { EVENT_TYPES } from '../events/event-types.ts'

const channel = z
  .enum(['email', 'console'])
  .describe('`email` also sends a mail. Both appear in the list of notifications.')

export const CreateSubscription = z
  .strictObject({
    event: z.enum(EVENT_TYPES),
    channel,
    survey_ids: z.array(z.string().max(60)).max(100).default([]).describe('Surveys to hear about. Empty means all.'),
  })
  .meta({ id: 'CreateNotificationSubscription' })

export const NotificationSubscription = z
  .object({
    id: z.string(),
    event: z.enum(EVENT_TYPES),
    channel,
    survey_ids: z.array(z.string()),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'NotificationSubscription' })

export const NotificationSubscriptionList = pageOf(NotificationSubscription).meta({
  id: 'NotificationSubscriptionList',
})

export const NotificationQuery = PageQuery.extend({
  unread: z.enum(['true', 'false']).optional().describe('`true` returns only those that no earlier call has listed.'),
}).strict()

export const Notification = z
  .object({
    id: z.string(),
    event: z.enum(EVENT_TYPES),
    survey_id: z.string().nullable(),
    channel,
    status: z.enum(['pending', 'sent']),
    created_at: z.iso.datetime(),
    sent_at: z.iso.datetime().nullable(),
    read_at: z.iso.datetime().nullable().describe('When an earlier call listed it. Null the first time.'),
  })
  .meta({
    id: 'Notification',
    description: 'A note that an event happened. Never says a respondent’s words or the recipient of a survey.',
  })

export const NotificationList = pageOf(Notification)
  .extend({ unread: z.number().int().describe('Unread notifications left after this page.') })
  .meta({ id: 'NotificationList' })
