import type { z } from 'zod'
import { presentPage, type Page, type PageRequest } from '../../../http/pagination.ts'
import { conflict, notFound, Problem } from '../../../http/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import { formatId, newId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { findSurveyIds } from '../../surveys/surveys/surveys.service.ts'
import type { CreateSubscription, NotificationSubscription } from './notifications.schema.ts'
import * as store from './subscriptions.store.ts'

const audited = auditOf('notificationSubscription', { shows: ['event', 'channel', 'survey_ids'] })

type Presented = z.input<typeof NotificationSubscription>

const MOST = 100

/** @throws Problem 403 `member_needed` for an API key, which is not a person. */
export function requireMember(scope: Scope): Id<'user'> {
  if (scope.principal.type === 'user') return scope.principal.id
  throw new Problem(403, 'member_needed', {
    detail: 'Notifications belong to a member. Sign in and use a session token instead of an API key.',
  })
}

export async function listSubscriptions(scope: Scope, page: PageRequest): Promise<Page<Presented>> {
  const userId = requireMember(scope)
  const rows = await scope.read((tx) => store.listSubscriptions(tx, userId, page))
  return presentPage(rows, page.limit, present)
}

/** @throws Problem 422 for a survey of another workspace; 409 past 100 subscriptions. */
export async function subscribe(scope: Scope, body: z.output<typeof CreateSubscription>): Promise<Presented> {
  const userId = requireMember(scope)
  const surveyIds = await findSurveyIds(scope, body.survey_ids, 'survey_ids')
  const row = await scope.tx(async (tx) => {
    if ((await store.countSubscriptions(tx, userId)) >= MOST)
      throw conflict('too_many_subscriptions', `A member can have at most ${MOST} subscriptions. Delete one first.`)
    const made = await store.insertSubscription(tx, {
      id: newId('notificationSubscription'),
      user_id: userId,
      event: body.event,
      channel: body.channel,
      survey_ids: surveyIds,
      created_at: scope.clock.now(),
    })
    audited(scope, tx, 'create', made.id, { after: present(made) })
    return made
  })
  return present(row)
}

export async function unsubscribe(scope: Scope, id: Id<'notificationSubscription'>): Promise<void> {
  const userId = requireMember(scope)
  await scope.tx(async (tx) => {
    if ((await store.deleteSubscription(tx, userId, id)) === 0) throw notFound('notificationSubscription')
    audited(scope, tx, 'delete', id)
  })
}

function present(row: store.SubscriptionRow): Presented {
  return {
    id: formatId('notificationSubscription', row.id),
    event: row.event as Presented['event'],
    channel: row.channel,
    survey_ids: row.survey_ids.map((id) => formatId('survey', id)),
    created_at: row.created_at.toISOString(),
  }
}
