import { randomUUID } from 'node:crypto'
import type { Channel } from '../../../platform/channel.ts'
import { eachDueTenant } from '../../../platform/due-tenants.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'
import type { IsAnothers } from '../../../platform/phone-port.ts'
import type { Accepted } from '../../../platform/provider.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import type { SweepOptions } from '../../../platform/sweeps.ts'
import { recordAccepted } from '../../delivery/sends/acceptance.service.ts'
import * as store from './dispatch.store.ts'
import type { Prepared } from './messages.service.ts'
import { prepareAgain } from './prepare.service.ts'
import { recordOutcomes } from './record.service.ts'
import { afterFault, type Attempted, type Outcome, type Refusal } from './send-attempt.ts'

const LEASE_MS = 180_000
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
    done += await eachDueTenant(
      system,
      options,
      (tx, after) => store.listTenants(tx, channel, 'interrupted', system.clock.now(), after),
      async (tenantId) => {
        let ofTenant = 0
        for (let inBatch = LIMIT; inBatch === LIMIT && !options.signal.aborted; ofTenant += inBatch) inBatch = await recoverBatch(system, tenantId, channel)
        return ofTenant
      },
    )
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
    if (doubtful.length === 0) return { claimed: claimed.length, prepared: [] }
    if (channel !== 'email') return { claimed: claimed.length, prepared: await prepareAgain(scope, tx, channel, doubtful, claim) }
    await store.updateSettled(tx, leaseToken, doubtful.map(sendAgain(now)), now)
    return { claimed: claimed.length, prepared: [] }
  })
  const attempted: Attempted[] = []
  // Two sends to one person may look the same to the provider.
  const given = new Set<string>()
  const isAnothersThan =
    (id: Id<'send'>): IsAnothers =>
    async (providerId) =>
      given.has(providerId) || scope.read((tx) => store.isProviderIdOfAnother(tx, providerId, id))
  for (const { send, message } of prepared) {
    const { id, attempts, address_hash, masked } = send
    const outcome = await ask(scope, { send, message }, isAnothersThan(id))
    if (outcome.kind === 'accepted' && outcome.providerId !== null) given.add(outcome.providerId)
    attempted.push({ id, attempts, addressHash: address_hash, masked, wasInDoubt: true, outcome })
  }
  await recordOutcomes(scope, claim, attempted)
  return claimed
}

/** At once, and under the same key; what never comes to an end is given up in the end. */
function sendAgain(now: Date) {
  return ({ id, attempts }: store.ClaimedSend): store.Settled => {
    const next = afterFault(attempts, 'interrupted', now)
    return { id, inDoubt: true, ...next, ...(next.status === 'queued' && { nextAttemptAt: now, reason: null }) }
  }
}

// What the provider knows nothing of was not taken.
const NOT_TAKEN: Refusal = { kind: 'refused', code: 'interrupted', verdict: 'not_taken', retryAfter: null }

async function ask(scope: Scope, prepared: Prepared, isAnothers: IsAnothers): Promise<Outcome> {
  try {
    const found = await find(scope, prepared, isAnothers)
    return found ? { kind: 'accepted', providerId: found.providerId } : NOT_TAKEN
  } catch {
    return { kind: 'doubt', code: 'unreachable' }
  }
}

async function find({ ports }: Scope, { send, message }: Prepared, isAnothers: IsAnothers): Promise<Accepted | null> {
  if (message.channel === 'sms') return ports.sms.findSent(message.sms, send.calling_at, isAnothers)
  if (message.channel === 'voice') return ports.voice.findCall(message.call, send.calling_at, isAnothers)
  return null
}
