import { z } from 'zod'
import { PageQuery, pageOf } from '../../../http/pagination.ts'
import { EVENT_TYPES } from '../events/event-types.ts'

const channel = z
  .enum(['email', 'console'])
  .describe('`email` also sends a mail; both stand in the list of notifications.')

export const CreateSubscription = z
  .strictObject({
    event: z.enum(EVENT_TYPES),
    channel,
    survey_ids: z.array(z.string().max(60)).max(100).default([]).describe('Empty: every survey.'),
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
  unread: z.enum(['true', 'false']).optional().describe('`true`: only those that no earlier call has listed.'),
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
    read_at: z.iso.datetime().nullable().describe('When it was listed before; null the first time.'),
  })
  .meta({
    id: 'Notification',
    description: 'That an event happened. Never what a respondent said, nor to whom a survey went.',
  })

export const NotificationList = pageOf(Notification)
  .extend({ unread: z.number().int().describe('Left after this page.') })
  .meta({ id: 'NotificationList' })
