import { randomUUID } from 'node:crypto'
import type { BacklogRow } from '../../../platform/backlog.ts'
import type { Channel } from '../../../platform/channel.ts'
import { DatabaseUnavailableError } from '../../../platform/database.ts'
import { eachDueTenant } from '../../../platform/due-tenants.ts'
import type { TenantId } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import type { SweepOptions } from '../../../platform/sweeps.ts'
import { createCaller, type Caller } from './caller.service.ts'
import * as store from './dispatch.store.ts'
import type { Prepared } from './messages.service.ts'
import { prepare, wasInDoubt } from './prepare.service.ts'
import { recordOutcomes } from './record.service.ts'
import { afterFault, type Attempted } from './send-attempt.ts'

// Past it, the recovery sweep asks what became of a send.
const LEASE_MS = 180_000
// Longer than the slowest answer of a provider: nobody is called whose lease might end meanwhile.
const SLOWEST_CALL_MS = 60_000
const LARGEST_CLAIM = 250
// A claim of a slow provider is what it takes in so many seconds.
const CLAIM_SECONDS = 10
// Results are recorded in groups, so that a crash leaves few in doubt.
const GROUP = 50
// While one claim is sent, the next is written.
const LANES = 2
const RENEW_MS = 15_000

/**
 * Sends what is due by one channel, workspace by workspace, at the rate that its provider takes, until nothing is.
 * One process at a time does this, so the rate holds for all of them. Returns how many were tried.
 */
export async function dispatchDue(system: SystemScope, channel: Channel, options: SweepOptions): Promise<number> {
  const rate = system.settings.rates[channel]
  const lost = new AbortController()
  const signal = AbortSignal.any([options.signal, lost.signal])
  // A claim may take longer than the election lasts.
  const keeper = setInterval(() => void options.renew().then((held) => held || lost.abort(), ignore), RENEW_MS)
  const caller = createCaller(rate, signal)
  const limit = rate === null ? LARGEST_CLAIM : Math.min(LARGEST_CLAIM, Math.max(1, Math.ceil(rate * CLAIM_SECONDS)))
  let tried = 0
  const lane = async () => {
    for (let inRound = 1; inRound > 0 && !signal.aborted && caller.closedUntil() === null; tried += inRound) {
      inRound = await eachDueTenant(
        system,
        { signal, renew: options.renew },
        (tx, after) => store.listTenants(tx, channel, 'queued', system.clock.now(), after),
        (tenantId) => dispatchBatch(system, tenantId, channel, limit, caller),
      )
    }
  }
  try {
    const lanes = await Promise.allSettled(Array.from({ length: rate === null ? LANES : 1 }, lane))
    const failed = lanes.find((ended) => ended.status === 'rejected')
    if (failed) throw failed.reason
    return tried
  } finally {
    clearInterval(keeper)
    const until = caller.closedUntil()
    if (until) options.postpone?.(until)
  }
}

function ignore(): void {}

/** What waits to be sent, in all workspaces. */
export function readSendBacklog(system: SystemScope): Promise<BacklogRow[]> {
  return system.tx(store.listBacklog)
}

async function dispatchBatch(system: SystemScope, tenantId: TenantId, channel: Channel, limit: number, caller: Caller): Promise<number> {
  if (caller.closedUntil()) return 0
  const scope = system.tenant(tenantId, { type: 'system' })
  const now = scope.clock.now()
  const leaseToken = randomUUID()
  const claim = { channel, now, leaseUntil: new Date(now.getTime() + LEASE_MS), leaseToken, limit }
  const { claimed, prepared } = await claimAndPrepare(scope, claim)
  const groups = []
  for (let at = 0; at < prepared.length; at += GROUP) groups.push(sendGroup(scope, claim, prepared.slice(at, at + GROUP), caller))
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
      return { claimed: claimed.length, prepared: claimed.length > 0 ? await prepare(scope, tx, claim.channel, claimed, claim) : [] }
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
    const settled = rows.map((row) => ({ id: row.id, inDoubt: wasInDoubt(row, claim), ...afterFault(row.attempts, 'internal_error', claim.now) }))
    if (settled.length > 0) await store.updateSettled(tx, claim.leaseToken, settled, claim.now)
    return rows.length
  })
}

async function sendGroup(scope: Scope, claim: store.SendClaim, group: Prepared[], caller: Caller): Promise<void> {
  const lastCallAt = new Date(claim.leaseUntil.getTime() - SLOWEST_CALL_MS)
  const attempted = await Promise.all(
    group.map(async ({ send, message }): Promise<Attempted> => {
      const { id, attempts, address_hash, masked } = send
      const outcome = await caller.call(scope, message, lastCallAt)
      return { id, attempts, addressHash: address_hash, masked, wasInDoubt: wasInDoubt(send, claim), outcome }
    }),
  )
  await recordOutcomes(scope, claim, attempted)
}
