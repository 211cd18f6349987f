import { randomUUID } from 'node:crypto'
import type { BacklogRow } from '../../platform/backlog.ts'
import type { Channel } from '../../platform/channel.ts'
import { DatabaseUnavailableError } from '../../platform/database.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { Scope, SystemScope } from '../../platform/scope.ts'
import { eachTenant, type SweepOptions } from '../../platform/sweeps.ts'
import * as store from './dispatch.store.ts'
import { createGate, createPacer } from './pacer.ts'
import type { Prepared } from './messages.service.ts'
import { prepare } from './prepare.service.ts'
import { recordOutcomes } from './record.service.ts'
import { afterRefusal, outcomeOf, type Attempted, type Outcome } from './send-attempt.ts'

// Longer than the sending of a claim and the slowest answer of a provider; past it, the recovery sweep asks what became of them.
const LEASE_MS = 120_000
const LARGEST_CLAIM = 250
// A claim of a slow provider is what it takes in so many seconds.
const CLAIM_SECONDS = 10
const AT_ONCE = 16
// Results are recorded in groups, so that a crash leaves few in doubt.
const GROUP = 50
// While one claim is sent, the next is written.
const LANES = 2

/**
 * Sends what is due by one channel, workspace by workspace, at the rate that its provider takes, until nothing is.
 * One process at a time does this, so the rate holds for all of them. Returns how many were tried.
 */
export async function dispatchDue(system: SystemScope, channel: Channel, options: SweepOptions): Promise<number> {
  const rate = system.settings.rates[channel]
  const pacer = createPacer(rate)
  const gate = createGate(rate === null ? AT_ONCE : Math.min(AT_ONCE, Math.max(1, Math.ceil(rate))))
  const call = (scope: Scope, prepared: Prepared) => gate(() => attempt(scope, prepared, () => pacer.turn(options.signal), options.signal))
  const limit = rate === null ? LARGEST_CLAIM : Math.min(LARGEST_CLAIM, Math.max(1, Math.ceil(rate * CLAIM_SECONDS)))

  let tried = 0
  const lane = async () => {
    for (let inRound = 1; inRound > 0 && !options.signal.aborted; tried += inRound) {
      const tenants = await system.tx((tx) => store.listTenantsWithDue(tx, channel, 'queued', system.clock.now(), options.limit))
      inRound = await eachTenant(tenants, options, (tenantId) => dispatchBatch(system, tenantId, channel, limit, call))
    }
  }
  await Promise.all(Array.from({ length: rate === null ? LANES : 1 }, lane))
  return tried
}

/** What waits to be sent, in all workspaces. */
export function readSendBacklog(system: SystemScope): Promise<BacklogRow[]> {
  return system.tx(store.listBacklog)
}

type Call = (scope: Scope, prepared: Prepared) => Promise<Outcome>

async function dispatchBatch(system: SystemScope, tenantId: TenantId, channel: Channel, limit: number, call: Call): Promise<number> {
  const scope = system.tenant(tenantId, { type: 'system' })
  const now = scope.clock.now()
  const leaseToken = randomUUID()
  const claim = { channel, now, leaseUntil: new Date(now.getTime() + LEASE_MS), leaseToken, limit }
  const { claimed, prepared } = await claimAndPrepare(scope, claim)
  const groups = []
  for (let at = 0; at < prepared.length; at += GROUP) groups.push(sendGroup(scope, leaseToken, prepared.slice(at, at + GROUP), call))
  await Promise.all(groups)
  return claimed
}

interface Claimed {
  claimed: number
  prepared: Prepared[]
}

/** A message that cannot be written keeps no other from being sent: it is looked for one by one, and tried again later. */
async function claimAndPrepare(scope: Scope, claim: store.SendClaim): Promise<Claimed> {
  try {
    return await scope.tx(async (tx) => {
      const claimed = await store.claimQueued(tx, claim)
      return { claimed: claimed.length, prepared: claimed.length > 0 ? await prepare(scope, tx, claim.channel, claimed, claim.leaseToken) : [] }
    })
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error
    if (claim.limit > 1) return claimAndPrepare(scope, { ...claim, limit: 1 })
    scope.log.error({ err: error, channel: claim.channel }, 'a message could not be written; it is tried again later')
    return { claimed: await postpone(scope, claim), prepared: [] }
  }
}

function postpone(scope: Scope, claim: store.SendClaim): Promise<number> {
  return scope.tx(async (tx) => {
    const rows = await store.claimQueued(tx, claim)
    const refusal = { code: 'internal_error', permanent: false, throttled: false, retryAfter: null }
    const settled = rows.map(({ id, attempts }) => ({ id, ...afterRefusal(attempts, refusal, claim.now) }))
    if (settled.length > 0) await store.updateSettled(tx, claim.leaseToken, settled, claim.now)
    return rows.length
  })
}

async function sendGroup(scope: Scope, leaseToken: string, group: Prepared[], call: Call): Promise<void> {
  const attempted = await Promise.all(
    group.map(async (prepared): Promise<Attempted> => {
      const { id, attempts, address_hash, masked } = prepared.send
      return { id, attempts, addressHash: address_hash, masked, outcome: await call(scope, prepared) }
    }),
  )
  await recordOutcomes(scope, leaseToken, attempted)
}

/** One call of the provider, with no transaction open. Told to stop, it leaves whoever was not called yet to the next dispatcher. */
async function attempt({ ports }: Scope, { message }: Prepared, turn: () => Promise<void>, signal: AbortSignal): Promise<Outcome> {
  await turn()
  if (signal.aborted) return { kind: 'not_called' }
  try {
    return { kind: 'accepted', ...(await deliver(ports, message)) }
  } catch (error) {
    return outcomeOf(message.channel, error)
  }
}

function deliver(ports: Scope['ports'], message: Prepared['message']) {
  switch (message.channel) {
    case 'email':
      return ports.email.send(message.email)
    case 'sms':
      return ports.sms.send(message.sms)
    case 'voice':
      return ports.voice.call(message.call)
  }
}
