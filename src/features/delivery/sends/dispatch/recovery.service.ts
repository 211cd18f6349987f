import { randomUUID } from 'node:crypto'
import { SEND_CHANNELS, type Channel, type Accepted } from '../../../../platform/ports/provider.ts'
import { untilNoneIsDue, listDueTenants } from '../../../../platform/work/due-tenants.ts'
import type { TenantId } from '../../../../platform/ids.ts'
import type { IsAnothers } from '../../../../platform/ports/phone-port.ts'
import type { Scope, SystemScope } from '../../../../platform/scope.ts'
import type { SweepOptions } from '../../../../platform/work/sweeps.ts'
import { recordAccepted } from '../acceptance.service.ts'
import type { Author, Message, Ready } from './author.service.ts'
import * as store from './claims.store.ts'
import type { Outcome } from './outcome.ts'
import { recordOutcomes, settleUnsent, type Attempted } from './record.service.ts'

const LEASE_MS = 180_000
const LIMIT = 50

/**
 * Settles sends whose dispatcher died between a provider's acceptance and the checkpoint (docs/specification.md,
 * "Recovery"). Email goes out again under its key, which a provider takes once. For SMS and calls the provider is
 * asked first. Returns how many sends were looked at.
 */
export async function recoverInterrupted(system: SystemScope, author: Author, options: SweepOptions): Promise<number> {
  let done = 0
  for (const channel of SEND_CHANNELS) {
    done += await untilNoneIsDue(
      options,
      (after) => listDueTenants(system, store.dueSends(channel, 'interrupted', system.clock.now()), after),
      (tenantId) => recoverBatch(system, author, tenantId, channel),
    )
  }
  return done
}

async function recoverBatch(
  system: SystemScope,
  author: Author,
  tenantId: TenantId,
  channel: Channel,
): Promise<number> {
  const scope = system.tenant(tenantId, { type: 'system' })
  const now = scope.clock.now()
  const claim = { channel, now, leaseUntil: new Date(now.getTime() + LEASE_MS), leaseToken: randomUUID(), limit: LIMIT }
  const { claimed, ready } = await scope.tx(async (tx) => {
    const claimed = (await store.claimInterrupted(tx, claim)).map((send) => ({ ...send, wasInDoubt: true }))
    const doubtful = claimed.filter(({ status }) => status === 'calling')
    // A person who has opened or answered a message has got it.
    const arrived = claimed
      .filter(({ status }) => status !== 'calling')
      .map(({ id }) => ({ sendId: id, providerId: null }))
    if (arrived.length > 0) await author.accepted(scope, tx, await recordAccepted(scope, tx, arrived))
    const composed =
      channel === 'email'
        ? doubtful.map((send) => ({ send, outcome: { kind: 'interrupted' as const } }))
        : doubtful.length > 0
          ? await author.composeAgain(scope, tx, channel, doubtful)
          : []
    return { claimed: claimed.length, ready: await settleUnsent(tx, author, claim, composed) }
  })
  await recordOutcomes(scope, author, claim, await askAbout(scope, ready))
  return claimed
}

/**
 * Asks the provider about one message after the other. Two of them may look the same to it, so a record counts once.
 */
async function askAbout(scope: Scope, ready: Ready[]): Promise<Attempted[]> {
  const given = new Set<string>()
  const attempted: Attempted[] = []
  for (const { send, message } of ready) {
    const isAnothers: IsAnothers = async (providerId) =>
      given.has(providerId) || scope.read((tx) => store.isProviderIdOfAnother(tx, providerId, send.id))
    const outcome = await ask(scope, message, send.calling_at, isAnothers)
    if (outcome.kind === 'accepted' && outcome.providerId !== null) given.add(outcome.providerId)
    attempted.push({ send, outcome })
  }
  return attempted
}

async function ask(scope: Scope, message: Message, since: Date, isAnothers: IsAnothers): Promise<Outcome> {
  try {
    const found = await find(scope, message, since, isAnothers)
    return found ? { kind: 'accepted', providerId: found.providerId } : { kind: 'not_found' }
  } catch {
    return { kind: 'doubt', code: 'unreachable' }
  }
}

async function find({ ports }: Scope, message: Message, since: Date, isAnothers: IsAnothers): Promise<Accepted | null> {
  if (message.channel === 'sms') return ports.sms.findSent(message.sms, since, isAnothers)
  if (message.channel === 'voice') return ports.voice.findCall(message.call, since, isAnothers)
  return null
}
