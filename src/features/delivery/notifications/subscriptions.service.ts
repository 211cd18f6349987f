import type { z } from 'zod'
import { presentPage, type Page, type PageRequest } from '../../../http/routes/pagination.ts'
import { conflict, notFound, Problem, unprocessable } from '../../../http/problems/problem.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import { needsDatabase } from '../../../platform/filter/evaluate.ts'
import { testsOf, type Filter } from '../../../platform/filter/grammar.ts'
import { formatId, newId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { readWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { findSurveyIds } from '../../surveys/surveys/surveys.service.ts'
import { checkedUrl } from '../webhooks/registration/target-url.service.ts'
import { auditedSubscription, nextDigestAt, maskedTarget, sealTarget } from './subscription.ts'
import type { CreateSubscription, NotificationSubscription } from './notifications.schema.ts'
import { deleteUnsent, failUnsent } from './notifications.store.ts'
import * as store from './subscriptions.store.ts'

type Presented = z.input<typeof NotificationSubscription>

const MOST = 100

/** @throws Problem 403 `member_needed` for an API key, which is not a person. */
export function requireMember(scope: Scope): Id<'user'> {
  if (scope.principal.type === 'user') return scope.principal.id
  throw new Problem(403, 'member_needed', {
    detail: 'Notifications belong to a member. Sign in and use a session token instead of an API key.',
  })
}

export async function listSubscriptions(scope: Scope, asked: PageRequest): Promise<Page<Presented>> {
  const userId = requireMember(scope)
  const { rows, page } = await scope.read((tx) => store.listSubscriptions(tx, userId, asked))
  return presentPage(rows, page, present)
}

/** @throws Problem 422 for a survey of another workspace, a URL or a filter that cannot be used; 409 past 100. */
export async function subscribe(scope: Scope, body: z.output<typeof CreateSubscription>): Promise<Presented> {
  const userId = requireMember(scope)
  requireTestable(body.event, body.filter)
  const url = body.url === undefined ? null : await checkedUrl(scope, body.url)
  const surveyIds = await findSurveyIds(scope, body.survey_ids, 'survey_ids')
  const id = newId('notificationSubscription')
  const { event, channel, filter, digest, language } = body
  const row = await scope.tx(async (tx) => {
    if ((await store.countSubscriptions(tx, userId)) >= MOST)
      throw conflict('too_many_subscriptions', `A member can have at most ${MOST} subscriptions. Delete one first.`)
    const now = scope.clock.now()
    const made = await store.insertSubscription(tx, {
      id,
      user_id: userId,
      event,
      channel,
      survey_ids: surveyIds,
      filter,
      digest,
      language,
      target: url && sealTarget(scope.secrets, id, url),
      target_host: url && new URL(url).host,
      next_digest_at: await firstDigestAt(tx, body, now),
      created_at: now,
    })
    auditedSubscription(scope, tx, 'create', id, { after: present(made) })
    return made
  })
  return present(row)
}

/** Enables a subscription from now on, or disables it and ends what still waits. */
export async function updateSubscription(
  scope: Scope,
  id: Id<'notificationSubscription'>,
  enabled: boolean,
): Promise<Presented> {
  const userId = requireMember(scope)
  return scope.tx(async (tx) => {
    const before = await store.lockSubscription(tx, id)
    if (before?.user_id !== userId) throw notFound('notificationSubscription')
    if (before.enabled === enabled) return present(before)
    const now = scope.clock.now()
    const nextDigestAt = enabled ? await firstDigestAt(tx, before, now) : null
    const after = await store.updateEnabled(tx, id, { enabled, reason: enabled ? null : 'manual', nextDigestAt })
    if (!enabled) await failUnsent(tx, id, now)
    auditedSubscription(scope, tx, 'update', id, { before: present(before), after: present(after) })
    return present(after)
  })
}

/** Ends a subscription, and what it still had to send. */
export async function unsubscribe(scope: Scope, id: Id<'notificationSubscription'>): Promise<void> {
  const userId = requireMember(scope)
  await scope.tx(async (tx) => {
    if ((await store.deleteSubscription(tx, userId, id)) === 0) throw notFound('notificationSubscription')
    await deleteUnsent(tx, id)
    auditedSubscription(scope, tx, 'delete', id)
  })
}

async function firstDigestAt(
  tx: TenantTx,
  { digest, channel }: Pick<store.SubscriptionRow, 'digest' | 'channel'>,
  now: Date,
): Promise<Date | null> {
  if (digest === 'at_once' || channel === 'console') return null
  return nextDigestAt(digest, (await readWorkspace(tx)).timezone, now)
}

// The classifier finds topics, sentiment and words only after the commit.
function requireTestable(event: string, filter: Filter | null): void {
  if (filter === null) return
  const tests = testsOf(filter)
  const message = !event.startsWith('response.')
    ? 'Leave out the filter: this event is not about one response.'
    : needsDatabase('responses', tests)
      ? 'Leave out tests of segments, teams, topics and sentiment, and `search`. A notification can test only ' +
        'the response itself.'
      : null
  if (message) throw unprocessable('filter_not_for_notifications', [{ path: 'filter', message }])
}

function present(row: store.SubscriptionRow): Presented {
  return {
    id: formatId('notificationSubscription', row.id),
    event: row.event as Presented['event'],
    channel: row.channel,
    survey_ids: row.survey_ids.map((id) => formatId('survey', id)),
    url: row.target_host === null ? null : maskedTarget(row.target_host),
    filter: row.filter as Presented['filter'],
    digest: row.digest,
    language: row.language as Presented['language'],
    enabled: row.enabled,
    disabled_reason: row.disabled_reason as Presented['disabled_reason'],
    created_at: row.created_at.toISOString(),
  }
}
