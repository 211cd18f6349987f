import { z } from 'zod'
import { countedPageOf, CountedPageQuery, pageOf } from '../../../http/routes/pagination.ts'
import { filterBody } from '../../../platform/filter/schema.ts'
import { EVENT_TYPES } from '../events/event-types.ts'
import { EventSubject } from '../events/events.schema.ts'
import { LANGUAGES } from './wording.ts'

const channel = z
  .enum(['email', 'console', 'slack', 'teams'])
  .describe('`email`, `slack` and `teams` also send a message. All appear in the list of notifications.')
const digest = z
  .enum(['at_once', 'daily', 'weekly'])
  .describe(
    'When the message is sent: at once, or in a digest at 8:00 in the workspace’s time zone. A weekly digest ' +
      'is sent on Mondays. The list ' +
      '(`console`) is always at once. Events of an anonymous survey never leave before the next day.',
  )
const language = z.enum(LANGUAGES).describe('The language of the messages.')

export const CreateSubscription = z
  .strictObject({
    event: z.enum(EVENT_TYPES),
    channel,
    survey_ids: z.array(z.string().max(60)).max(100).default([]).describe('Surveys to hear about. Empty means all.'),
    url: z
      .string()
      .max(2_000)
      .optional()
      .describe(
        'For `slack` and `teams`: the URL of the channel’s incoming webhook. It is stored encrypted, and no answer shows it.',
      ),
    filter: filterBody('responses')
      .nullable()
      .default(null)
      .describe(
        'Only for events about responses (`response.*`). Only responses that pass the filter are told. ' +
          'Responses of anonymous surveys never pass. The filter cannot test segments, topics or sentiment. Null ' +
          'means all.',
      ),
    digest: digest.default('at_once'),
    language: language.default('en'),
  })
  .superRefine(({ channel: chosen, url }, context) => {
    const isChat = chosen === 'slack' || chosen === 'teams'
    if (isChat === (url !== undefined)) return
    const message = isChat ? 'Add the URL of the channel’s incoming webhook.' : 'Only slack and teams have a URL.'
    context.addIssue({ code: 'custom', path: ['url'], message })
  })
  .meta({ id: 'CreateNotificationSubscription' })

export const UpdateSubscription = z
  .strictObject({
    enabled: z.boolean().describe('False cancels messages that still wait. True starts again with new events.'),
  })
  .meta({ id: 'UpdateNotificationSubscription' })

export const NotificationSubscription = z
  .object({
    id: z.string(),
    event: z.enum(EVENT_TYPES),
    channel,
    survey_ids: z.array(z.string()),
    url: z.string().nullable().describe('The host alone, such as `hooks.slack.com…`. Null without a URL.'),
    filter: z.record(z.string(), z.unknown()).nullable(),
    digest,
    language,
    enabled: z.boolean(),
    disabled_reason: z
      .enum(['gone', 'failing', 'manual'])
      .nullable()
      .describe(
        '`gone`: the URL takes no messages any more. `failing`: every message of 5 days has failed. `manual`: ' +
          'you disabled it.',
      ),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'NotificationSubscription' })

export const NotificationSubscriptionList = pageOf(NotificationSubscription).meta({
  id: 'NotificationSubscriptionList',
})

export const NotificationQuery = CountedPageQuery.extend({
  unread: z.enum(['true', 'false']).optional().describe('`true` returns only those that are not read.'),
  peek: z.enum(['true', 'false']).optional().describe('`true` marks nothing as read.'),
}).strict()

const MOST_READ = 500
export const ReadNotifications = z
  .union([
    z.strictObject({ ids: z.array(z.string().max(60)).min(1).max(MOST_READ) }),
    z.strictObject({ all: z.literal(true) }),
  ])
  .meta({ id: 'ReadNotifications', description: 'Some of your notifications, or all that there are now.' })

export const NotificationsRead = z
  .object({ read: z.number().int().describe('How many were unread until now.') })
  .meta({ id: 'NotificationsRead' })

export const Notification = z
  .object({
    id: z.string(),
    event: z.enum(EVENT_TYPES),
    survey_id: z.string().nullable(),
    channel,
    status: z
      .enum(['pending', 'sent', 'failed'])
      .describe('`pending` also waits for a digest. `failed`: the channel did not take the message.'),
    created_at: z.iso.datetime().describe('For an anonymous survey: the start of the day.'),
    sent_at: z.iso.datetime().nullable(),
    read_at: z.iso.datetime().nullable().describe('When an earlier call listed it or marked it as read.'),
    subject: EventSubject.nullable().describe(
      'The thing that the event is about. Null for a response of an anonymous survey.',
    ),
  })
  .meta({
    id: 'Notification',
    description: 'A note that an event happened. It never has the words of a respondent or the recipient of a survey.',
  })

export const NotificationList = countedPageOf(Notification)
  .extend({ unread: z.number().int().describe('Unread notifications left after this call.') })
  .meta({ id: 'NotificationList' })
