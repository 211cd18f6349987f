import { randomUUID } from 'node:crypto'
import type { ChatOutcome } from '../../../platform/ports/chat-port.ts'
import { dueBy, listDueTenants, untilNoneIsDueInSlots } from '../../../platform/work/due-tenants.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import { secondsAfter } from '../../../platform/loop/retry.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import { stageEmail } from '../../access/mail/mail.service.ts'
import { readWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { noteOutcome, retryAt } from './channel-health.service.ts'
import { sendTo } from './chats.service.ts'
import { compose, SHOWN_AT_MOST, type Composed, findReader } from './compose.service.ts'
import { nextDigestAt } from './subscription.ts'
import * as store from './digests.store.ts'
import { letterOf } from './message.ts'
import type { SubscriptionRow } from './subscriptions.store.ts'

const DAY_MS = 86_400_000
const LEASE_SECONDS = 60
const TAKE = 5_000
const TAKES = 20
// The chat of a workspace may hang, and holds up its own digests alone.
const WORKSPACES = 8

/** Sends the digests that are due, one of each workspace at a time. Returns their number. */
export async function sendDueDigests(system: SystemScope, options: SweepOptions): Promise<number> {
  const due = () => dueBy('notification_subscriptions', 'next_digest_at', system.clock.now())
  return untilNoneIsDueInSlots(
    options,
    { all: WORKSPACES, each: 1 },
    (after) => listDueTenants(system, due(), after),
    async (tenantId) => Number(await sendOne(system.tenant(tenantId, { type: 'system' }))),
    (sent) => sent >= options.limit,
  )
}

type Prepared = { subscription: SubscriptionRow; message: Composed } | null

/**
 * Sends one digest of everything that waits, and plans the next. A mail is staged in the transaction that plans it, so
 * it exists once. False if none is due.
 */
async function sendOne(scope: Scope): Promise<boolean> {
  const token = randomUUID()
  const now = scope.clock.now()
  // Events of an anonymous survey wait for the next day (UTC), so that no digest narrows the moment.
  const today = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS)
  const claimed = await scope.tx((tx) => store.claimDigest(tx, { now, until: secondsAfter(now, LEASE_SECONDS), token }))
  if (!claimed) return false
  for (let takes = 0; takes < TAKES; takes++)
    if ((await scope.tx((tx) => store.takeWaiting(tx, claimed.id, token, { limit: TAKE, today }))) < TAKE) break
  const chat = await scope.tx(async (tx): Promise<Prepared> => {
    const prepared = await prepare(scope, tx, claimed.id, token)
    if (prepared?.message && prepared.subscription.channel !== 'email')
      return { subscription: prepared.subscription, message: prepared.message }
    if (prepared?.message) await stageLetter(scope, tx, prepared.subscription, prepared.message)
    await end(scope, tx, prepared?.subscription ?? null, claimed.id, token, prepared === null)
    return null
  })
  if (!chat) return true
  const outcome = await sendTo(scope, chat.subscription, chat.message)
  await scope.tx((tx) => record(scope, tx, chat.subscription, token, outcome))
  return true
}

/** Null for a digest that nobody may read. Without a message nothing happened. */
async function prepare(
  scope: Scope,
  tx: TenantTx,
  id: store.DueDigest['id'],
  token: string,
): Promise<{ subscription: SubscriptionRow; message: Composed | null } | null> {
  const found = await findReader(scope, tx, id)
  if (!found) return null
  const { subscription, reader } = found
  const [counts, latest] = await Promise.all([
    store.countTaken(tx, id, token),
    store.listLatest(tx, id, token, SHOWN_AT_MOST),
  ])
  const kind = subscription.digest === 'weekly' ? 'weekly' : 'daily'
  const message = counts.length === 0 ? null : await compose(scope, tx, { kind, counts, latest }, reader)
  return { subscription, message }
}

function stageLetter(
  scope: Scope,
  tx: TenantTx,
  { user_id: userId, language }: SubscriptionRow,
  message: Composed,
): Promise<void> {
  const text = letterOf(message, language, scope.settings.baseUrl)
  return stageEmail(scope, tx, {
    kind: 'notification',
    to: { userId },
    subject: `Earshot: ${message.title}`,
    text,
    about: message.about,
  })
}

async function record(
  scope: Scope,
  tx: TenantTx,
  subscription: SubscriptionRow,
  token: string,
  outcome: ChatOutcome,
): Promise<void> {
  const { id, digest_attempts: attempts } = subscription
  const again = retryAt(outcome, attempts + 1, scope.clock.now())
  const planned = again
    ? await store.planDigest(tx, id, token, { at: again, attempts: attempts + 1 })
    : await end(scope, tx, subscription, id, token, outcome.state !== 'taken')
  if (planned > 0) await noteOutcome(scope, tx, subscription, outcome)
}

/** Ends this digest and plans the next one. Of a member who left, there is none. */
async function end(
  scope: Scope,
  tx: TenantTx,
  subscription: SubscriptionRow | null,
  id: store.DueDigest['id'],
  token: string,
  isGivenUp: boolean,
): Promise<number> {
  const now = scope.clock.now()
  await store.settleTaken(tx, id, token, isGivenUp, now)
  const digest = subscription?.digest
  const at =
    digest === 'daily' || digest === 'weekly' ? nextDigestAt(digest, (await readWorkspace(tx)).timezone, now) : null
  return store.planDigest(tx, id, token, { at, attempts: 0 })
}
