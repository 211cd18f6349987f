import { randomUUID } from 'node:crypto'
import type { Among } from '../../../../platform/work/across-tenants.ts'
import type { Channel } from '../../../../platform/ports/provider.ts'
import type { SystemTx, TenantTx } from '../../../../platform/database/database.ts'
import { DatabaseUnavailableError } from '../../../../platform/database/database-adapter.ts'
import { hasDue, listDueTenants, untilNoneIsDueInSlots } from '../../../../platform/work/due-tenants.ts'
import type { Id, TenantId } from '../../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../../platform/scope.ts'
import type { SweepOptions } from '../../../../platform/work/sweeps.ts'
import { maySend } from '../../../access/workspaces/workspaces.service.ts'
import type { Author, Claimed, Ready, Unsent } from './author.service.ts'
import { createCaller, type Caller } from './caller.service.ts'
import * as store from './claims.store.ts'
import { lookAgain, type Decide } from './look-again.ts'
import type { Outcome } from './outcome.ts'
import { recordOutcomes, settleUnsent, type Attempted } from './record.service.ts'

// After the lease, the recovery sweep asks what became of a send.
const LEASE_MS = 180_000
// Longer than the slowest answer of a provider: nobody is called whose lease might end before the answer.
const SLOWEST_CALL_MS = 60_000
const LARGEST_CLAIM = 250
// A claim for a slow provider is as many sends as it takes in so many seconds.
const CLAIM_SECONDS = 10
// Results are recorded in groups, so that a crash leaves few in doubt.
const GROUP = 50
// While one claim of a workspace is sent, its next is composed.
const SLOTS = { all: 8, each: 2 }
// Claims wait for each other's calls, and must end within their lease.
const SLOTS_AT_A_RATE = { all: 4, each: 1 }
const RENEW_MS = 15_000

/** Whether any workspace has a send that is due by a channel. */
export function hasDueSends(tx: SystemTx, among: Among, channel: Channel, now: Date): Promise<boolean> {
  return hasDue(tx, among, store.dueSends(channel, 'queued', now))
}

/**
 * Sends what is due by one channel, workspace by workspace, at the rate that its provider takes, until nothing is due.
 * One process at a time does this, so the rate holds for all of them. Returns how many were tried.
 */
export async function dispatchDue(
  system: SystemScope,
  author: Author,
  channel: Channel,
  options: SweepOptions,
): Promise<number> {
  const rate = system.settings.rates[channel]
  const lost = new AbortController()
  const signal = AbortSignal.any([options.signal, lost.signal])
  // A claim may take longer than the election lasts.
  const keeper = setInterval(() => void options.renew().then((held) => held || lost.abort(), ignore), RENEW_MS)
  const caller = createCaller(rate, signal)
  const limit = rate === null ? LARGEST_CLAIM : Math.min(LARGEST_CLAIM, Math.max(1, Math.ceil(rate * CLAIM_SECONDS)))
  const batch = (tenantId: TenantId) =>
    dispatchBatch(system.tenant(tenantId, { type: 'system' }), author, { channel, limit }, caller)
  const due = (after: TenantId | null) =>
    listDueTenants(system, store.dueSends(channel, 'queued', system.clock.now()), after)
  try {
    return await untilNoneIsDueInSlots(
      { signal, renew: options.renew },
      rate === null ? SLOTS : SLOTS_AT_A_RATE,
      due,
      batch,
      () => caller.closedUntil() !== null,
    )
  } finally {
    clearInterval(keeper)
    const until = caller.closedUntil()
    if (until) options.postpone?.(until)
  }
}

function ignore(): void {}

async function dispatchBatch(
  scope: Scope,
  author: Author,
  { channel, limit }: { channel: Channel; limit: number },
  caller: Caller,
): Promise<number> {
  if (caller.closedUntil()) return 0
  const now = scope.clock.now()
  const claim = { channel, now, leaseUntil: new Date(now.getTime() + LEASE_MS), leaseToken: randomUUID(), limit }
  const { claimed, ready } = await claimAndCompose(scope, author, claim)
  const lastCallAt = new Date(claim.leaseUntil.getTime() - SLOWEST_CALL_MS)
  const waiting = new Set(ready.map(({ send }) => send.id))
  const stoppedOf = lookAgain(scope, now, () => decideWaiting(scope, author, claim, waiting))
  const call = ({ send, message }: Ready) =>
    caller.call(scope, message, lastCallAt, () => stoppedOf(send.id)).finally(() => waiting.delete(send.id))
  const groups = []
  for (let at = 0; at < ready.length; at += GROUP)
    groups.push(sendGroup(scope, author, claim, ready.slice(at, at + GROUP), call))
  await Promise.all(groups)
  return claimed
}

interface Batch {
  claimed: number
  ready: Ready[]
}

/**
 * A message that cannot be composed keeps no other from being sent: it is looked for one by one, and tried again later.
 */
async function claimAndCompose(scope: Scope, author: Author, claim: store.SendClaim): Promise<Batch> {
  try {
    return await scope.tx(async (tx) => {
      const claimed = await claimQueued(tx, claim)
      if (claimed.length === 0) return { claimed: 0, ready: [] }
      const composed = (await maySend(scope, tx))
        ? await author.compose(scope, tx, claim.channel, claimed)
        : claimed.map((send): Unsent => ({ send, outcome: { kind: 'ended', as: 'failed', reason: 'unverified' } }))
      return { claimed: claimed.length, ready: await settleUnsent(tx, author, claim, composed) }
    })
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error
    if (claim.limit > 1) return claimAndCompose(scope, author, { ...claim, limit: 1 })
    scope.log.error({ err: error, channel: claim.channel }, 'a message could not be written; it is tried again later')
    return { claimed: await postpone(scope, author, claim), ready: [] }
  }
}

function postpone(scope: Scope, author: Author, claim: store.SendClaim): Promise<number> {
  return scope.tx(async (tx) => {
    const claimed = await claimQueued(tx, claim)
    await settleUnsent(
      tx,
      author,
      claim,
      claimed.map((send) => ({ send, outcome: { kind: 'fault' } })),
    )
    return claimed.length
  })
}

/** A send that an earlier claim left in doubt has been in doubt since before this claim. */
async function claimQueued(tx: TenantTx, claim: store.SendClaim): Promise<Claimed[]> {
  return inDoubtBefore(claim, await store.claimQueued(tx, claim))
}

function inDoubtBefore(claim: store.SendClaim, sends: store.ClaimedSend[]): Claimed[] {
  return sends.map((send) => ({ ...send, wasInDoubt: send.calling_at < claim.now }))
}

async function sendGroup(
  scope: Scope,
  author: Author,
  claim: store.SendClaim,
  group: Ready[],
  call: (ready: Ready) => Promise<Outcome>,
): Promise<void> {
  const attempted = await Promise.all(
    group.map(async (ready): Promise<Attempted> => ({ send: ready.send, outcome: await call(ready) })),
  )
  await recordOutcomes(scope, author, claim, attempted)
}

const NOT_CALLED: Outcome = { kind: 'not_called', retryAt: null }

/** Decides once more for the sends of a claim that wait. */
async function decideWaiting(
  scope: Scope,
  author: Author,
  claim: store.SendClaim,
  waiting: Iterable<Id<'send'>>,
): Promise<Decide> {
  return scope.read(async (tx) => {
    const left = inDoubtBefore(claim, await store.listStillClaimed(tx, [...waiting], claim.leaseToken))
    const outcomes = new Map<string, Outcome | null>(left.map(({ id }) => [id, null]))
    for (const { send, outcome } of await author.decideAgain(scope, tx, claim.channel, left))
      outcomes.set(send.id, outcome)
    return (id) => outcomes.get(id) ?? (outcomes.has(id) ? null : NOT_CALLED)
  })
}
