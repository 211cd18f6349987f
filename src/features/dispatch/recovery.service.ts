import { randomUUID } from 'node:crypto'
import type { Channel } from '../../platform/channel.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { Accepted } from '../../platform/ports.ts'
import type { Scope, SystemScope } from '../../platform/scope.ts'
import { eachTenant, type SweepOptions } from '../../platform/sweeps.ts'
import { recordAccepted } from '../sends/acceptance.service.ts'
import * as store from './dispatch.store.ts'
import type { Prepared } from './messages.service.ts'
import { prepareAgain } from './prepare.service.ts'
import { recordOutcomes } from './record.service.ts'
import type { Attempted, Outcome } from './send-attempt.ts'

const LEASE_MS = 120_000
const LIMIT = 50
const CHANNELS: Channel[] = ['email', 'sms', 'voice']

/**
 * Finds out what became of sends whose dispatcher died between a provider's acceptance and the checkpoint (source
 * specification, "Survey-send notification"). Email goes out again under its key, which a provider takes once; of SMS
 * and calls the provider is asked first. Returns how many were settled.
 */
export async function recoverInterrupted(system: SystemScope, options: SweepOptions): Promise<number> {
  let done = 0
  for (const channel of CHANNELS) {
    const tenants = await system.tx((tx) => store.listTenantsWithDue(tx, channel, 'interrupted', system.clock.now(), options.limit))
    done += await eachTenant(tenants, options, async (tenantId) => {
      let ofTenant = 0
      for (let inBatch = LIMIT; inBatch === LIMIT && !options.signal.aborted; ofTenant += inBatch) inBatch = await recoverBatch(system, tenantId, channel)
      return ofTenant
    })
  }
  return done
}

async function recoverBatch(system: SystemScope, tenantId: TenantId, channel: Channel): Promise<number> {
  const scope = system.tenant(tenantId, { type: 'system' })
  const now = scope.clock.now()
  const leaseToken = randomUUID()
  const claim = { channel, now, leaseUntil: new Date(now.getTime() + LEASE_MS), leaseToken, limit: LIMIT }
  const { claimed, prepared } = await scope.tx(async (tx) => {
    const claimed = await store.claimInterrupted(tx, claim)
    const doubtful = claimed.filter(({ status }) => status === 'calling')
    // Whoever has opened or answered a message has got it.
    const arrived = claimed.filter(({ status }) => status !== 'calling')
    if (arrived.length > 0) {
      await recordAccepted(
        scope,
        tx,
        arrived.map(({ id }) => ({ sendId: id, providerId: null })),
      )
    }
    if (channel === 'email' && doubtful.length > 0) {
      const again = doubtful.map(({ id, attempts }) => ({ id, attempts, status: 'queued' as const, reason: null, nextAttemptAt: now }))
      await store.updateSettled(tx, leaseToken, again, now)
    }
    const ask = channel === 'email' ? [] : doubtful
    return { claimed: claimed.length, prepared: ask.length > 0 ? await prepareAgain(scope, tx, channel, ask, leaseToken) : [] }
  })
  const attempted: Attempted[] = []
  for (const { send, message } of prepared) {
    const { id, attempts, address_hash, masked } = send
    attempted.push({ id, attempts, addressHash: address_hash, masked, outcome: await ask(scope, { send, message }) })
  }
  await recordOutcomes(scope, leaseToken, attempted)
  return claimed
}

async function ask(scope: Scope, prepared: Prepared): Promise<Outcome> {
  try {
    const found = await find(scope, prepared)
    return found ? { kind: 'accepted', providerId: found.providerId } : { kind: 'not_called' }
  } catch {
    return { kind: 'doubt', code: 'unreachable' }
  }
}

async function find({ ports }: Scope, { send, message }: Prepared): Promise<Accepted | null> {
  if (message.channel === 'sms') return ports.sms.findSent(message.sms, send.calling_at)
  if (message.channel === 'voice') return ports.voice.findCall(message.call, send.calling_at)
  return null
}
