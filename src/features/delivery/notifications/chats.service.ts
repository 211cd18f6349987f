import { randomUUID } from 'node:crypto'
import pLimit from 'p-limit'
import type { ChatMessage, ChatOutcome, ChatProvider } from '../../../platform/ports/chat-port.ts'
import type { TenantTx, ReadTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import { secondsAfter } from '../../../platform/loop/retry.ts'
import type { Scope } from '../../../platform/scope.ts'
import { noteOutcome, retryAt } from './channel-health.service.ts'
import { compose, countRows, findReader } from './compose.service.ts'
import * as store from './notifications.store.ts'
import { listChatCopies } from './notifications.store.ts'
import type { SubscriptionRow } from './subscriptions.store.ts'
import { openTarget } from './subscription.ts'
import type { ExternalCopy } from '../../../platform/personal.ts'

const BATCH = 40
const AT_ONCE = 8
// Longer than a batch that only meets timeouts.
const LEASE_SECONDS = 75

/**
 * Sends one batch of a workspace's messages to chats. The events of one subscription make one message. Returns the
 * number of rows that were tried. A crash between a call and its record repeats the message, because chats have no
 * idempotency.
 */
export async function sendChats(scope: Scope): Promise<number> {
  const now = scope.clock.now()
  const token = randomUUID()
  const lease = { now, until: secondsAfter(now, LEASE_SECONDS), token }
  const claimed = await scope.tx((tx) => store.claimChats(tx, lease, BATCH))
  const limit = pLimit(AT_ONCE)
  await Promise.all(
    [...Map.groupBy(claimed, (row) => row.subscription_id)].map(([id, rows]) =>
      limit(() => sendTogether(scope, id, rows, token)),
    ),
  )
  return claimed.length
}

async function sendTogether(
  scope: Scope,
  id: Id<'notificationSubscription'>,
  rows: store.DueNotification[],
  token: string,
): Promise<void> {
  const prepared = await prepare(scope, id, rows)
  if (prepared === 'nobody' || 'blockedUntil' in prepared) {
    await settle(scope, rows, token, (attempts) =>
      prepared === 'nobody'
        ? { state: 'given_up', attempts }
        : { state: 'pending', attempts, at: prepared.blockedUntil },
    )
    return
  }
  const { subscription, message } = prepared
  const outcome = await sendTo(scope, subscription, message)
  const now = scope.clock.now()
  await settle(
    scope,
    rows,
    token,
    (attempts) => settledBy(outcome, attempts + 1, now),
    (tx) => noteOutcome(scope, tx, subscription, outcome),
  )
}

/** Each row goes on from its own attempts, because new rows share a message with old ones. */
function settle(
  scope: Scope,
  rows: store.DueNotification[],
  token: string,
  settledOf: (attempts: number) => store.Settled,
  also?: (tx: TenantTx) => Promise<unknown>,
): Promise<void> {
  return scope.tx(async (tx) => {
    let settled = 0
    for (const [attempts, same] of Map.groupBy(rows, (row) => row.attempts)) {
      const ids = same.map((row) => row.id)
      settled += await store.settleClaimed(tx, ids, token, settledOf(attempts), scope.clock.now())
    }
    if (settled > 0) await also?.(tx)
  })
}

function settledBy(outcome: ChatOutcome, attempts: number, now: Date): store.Settled {
  if (outcome.state === 'taken') return { state: 'sent', attempts }
  const at = retryAt(outcome, attempts, now)
  return at ? { state: 'pending', attempts, at } : { state: 'given_up', attempts }
}

type Prepared = 'nobody' | { blockedUntil: Date } | { subscription: SubscriptionRow; message: ChatMessage }

function prepare(scope: Scope, id: Id<'notificationSubscription'>, rows: store.DueNotification[]): Promise<Prepared> {
  return scope.tx(async (tx): Promise<Prepared> => {
    const found = await findReader(scope, tx, id)
    if (!found) return 'nobody'
    const { subscription, reader } = found
    const { blocked_until: blockedUntil } = subscription
    if (blockedUntil && blockedUntil > scope.clock.now()) return { blockedUntil }
    const batch = { kind: 'events', counts: countRows(rows), latest: rows.toReversed() } as const
    return { subscription, message: await compose(scope, tx, batch, reader) }
  })
}

/** Sends to the chat of a subscription. Never throws. */
export async function sendTo(
  scope: Scope,
  { id, channel, target }: SubscriptionRow,
  message: ChatMessage,
): Promise<ChatOutcome> {
  let url: string
  try {
    url = openTarget(scope.secrets, id, target ?? '')
  } catch {
    return { state: 'failed', code: `${channel}_sealed`, retryAfter: null }
  }
  return scope.ports.chat.send(channel as ChatProvider, url, message)
}

/** Chats that have a message about these events, for the certificate of an erasure. */
export async function listChatReceivers(tx: ReadTx, eventIds: string[]): Promise<ExternalCopy[]> {
  return (await listChatCopies(tx, eventIds)).map(({ channel, host, at }) => ({
    kind: channel,
    target: host ?? channel,
    at: at.toISOString(),
  }))
}
