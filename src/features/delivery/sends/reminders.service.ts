import type { Channel } from '../../../platform/ports/provider.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { maskAddress } from '../../trust/addresses/address.ts'
import { ensureAddressHash, type HashAddress } from '../../trust/addresses/addresses.service.ts'
import { openRecipient, sealRecipient, type Recipient } from './send-secrets.ts'
import { newSendId } from './send.entity.ts'
import * as store from './reminders.store.ts'

/** The messages that follow another to the same person, in order. The first one that has an address is queued. */
export interface Reminder {
  after: Id<'send'>
  steps: Array<{ at: Date; channel: Channel }>
}

/**
 * Queues reminders, each with its own sealed copy of the recipient. A step whose channel needs an address that is not
 * known is recorded as skipped. A person who was erased gets none.
 */
export async function queueReminders(scope: Scope, tx: TenantTx, reminders: Reminder[]): Promise<void> {
  if (reminders.length === 0) return
  const hashOf = await ensureAddressHash(scope, tx)
  const recipients = new Map(
    (
      await store.listRecipients(
        tx,
        reminders.map(({ after }) => after),
      )
    ).map((row) => [row.id, row]),
  )
  const rows = reminders.flatMap(({ after, steps }) => {
    const row = recipients.get(after)
    if (!row) return []
    const recipient = openRecipient(scope.secrets, after, row.recipient)
    const addresses = steps.map(({ channel }) => addressOn(channel, row.channel, recipient))
    const next = addresses.findIndex((address) => address !== null)
    return steps.slice(0, next === -1 ? steps.length : next + 1).map((step, index) =>
      rowOf(scope, hashOf, {
        after,
        index,
        step,
        recipient,
        address: addresses[index] ?? null,
        byDay: row.by_day,
      }),
    )
  })
  if (rows.length > 0) await store.insertReminders(tx, rows, scope.clock.now())
}

interface Planned {
  after: Id<'send'>
  index: number
  step: Reminder['steps'][number]
  recipient: Recipient
  address: string | null
  byDay: boolean
}

function rowOf(
  { secrets, clock }: Scope,
  hashOf: HashAddress,
  { after, index, step: { at, channel }, recipient, address, byDay }: Planned,
): store.NewReminder {
  const id = newSendId(clock.now(), byDay)
  const base = { id, afterId: after, distance: index + 1, channel }
  if (address === null)
    return { ...base, reason: 'no_address', addressHash: '', masked: '', recipient: null, nextAttemptAt: null }
  return {
    ...base,
    reason: null,
    addressHash: hashOf(channel, address),
    masked: maskAddress(channel, address),
    recipient: sealRecipient(secrets, id, { ...recipient, address }),
    nextAttemptAt: at,
  }
}

function addressOn(channel: Channel, before: Channel, { address, contact }: Recipient): string | null {
  if ((channel === 'email') === (before === 'email')) return address
  return (channel === 'email' ? contact?.email : contact?.phone) ?? null
}
