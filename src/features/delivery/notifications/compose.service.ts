import type { ChatMessage } from '../../../platform/ports/chat-port.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Permission } from '../../../platform/permissions.ts'
import type { Scope } from '../../../platform/scope.ts'
import { surveyNames } from '../../surveys/surveys/published-surveys.service.ts'
import { readContents } from '../events/events.service.ts'
import { mayRead, messageOf, type Contents, type NotifiedEvent } from './message.ts'
import { memberPermissions } from '../../access/members/membership.service.ts'
import { auditedSubscription } from './subscription.ts'
import { deleteUnsent } from './notifications.store.ts'
import * as store from './subscriptions.store.ts'

/** Events whose words a message shows. */
export const SHOWN_AT_MOST = 5

interface Reader {
  language: string
  permissions: Permission[]
}

interface Batch {
  kind: Contents['kind']
  counts: Array<{ event: string; survey_id: Id<'survey'> | null; count: number }>
  latest: NotifiedEvent[]
}

/** A message, and the responses (`rsp_…`) whose words are in it. */
export type Composed = ChatMessage & { about: string[] }

/** The message about these events, with what the reader may see of them at this moment. */
export async function compose(scope: Scope, tx: TenantTx, batch: Batch, reader: Reader): Promise<Composed> {
  const readable = batch.latest
    .slice(0, SHOWN_AT_MOST)
    .filter(({ event, withheld }) => !withheld && mayRead(event, reader.permissions))
  const surveyIds = [...batch.counts, ...readable].flatMap(({ survey_id }) => survey_id ?? [])
  const [names, contents] = await Promise.all([
    surveyNames(tx, [...new Set(surveyIds)]),
    readContents(tx, [...new Set(readable.map(({ event_id }) => event_id))]),
  ])
  const nameOf = (id: Id<'survey'> | null) => (id === null ? undefined : names.get(id))
  const shown = readable.map(({ event, event_id, survey_id }) => ({
    event,
    survey: nameOf(survey_id),
    data: contents.get(event_id)?.data ?? null,
  }))
  const message = messageOf(
    {
      kind: batch.kind,
      counts: batch.counts.map(({ event, survey_id, count }) => ({ event, survey: nameOf(survey_id), count })),
      shown,
    },
    reader.language,
    scope.settings.baseUrl,
  )
  const ids = shown.map(({ data }) => data?.['responseId'])
  return { ...message, about: ids.filter((id) => typeof id === 'string') }
}

/** Counts rows by event and survey. */
export function countRows(rows: NotifiedEvent[]): Batch['counts'] {
  return [...Map.groupBy(rows, ({ event, survey_id }) => `${event} ${survey_id ?? ''}`).values()].map((same) => ({
    event: same[0]?.event ?? '',
    survey_id: same[0]?.survey_id ?? null,
    count: same.length,
  }))
}

/**
 * The subscription and what its member may read now. Null if nobody is to be told: it is disabled or deleted, or its
 * member has left, and then it is deleted with what it still had to send.
 */
export async function findReader(
  scope: Scope,
  tx: TenantTx,
  id: Id<'notificationSubscription'>,
): Promise<{ subscription: store.SubscriptionRow; reader: Reader } | null> {
  const subscription = await store.findSubscription(tx, id)
  if (!subscription?.enabled) return null
  const permissions = await memberPermissions(tx, subscription.user_id)
  if (permissions) return { subscription, reader: { language: subscription.language, permissions } }
  await store.deleteSubscription(tx, subscription.user_id, id)
  await deleteUnsent(tx, id)
  auditedSubscription(scope, tx, 'delete', id)
  return null
}
