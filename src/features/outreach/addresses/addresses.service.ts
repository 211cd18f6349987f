import { createHmac, randomBytes } from 'node:crypto'
import type { Channel } from '../../../platform/channel.ts'
import type { TenantTx } from '../../../platform/database.ts'
import type { TenantId } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import * as store from './addresses.store.ts'

const MOST_KNOWN = 10_000
// A workspace keeps its key for good, so one that was read holds for as long as the process.
const known = new Map<TenantId, Buffer>()

/** Says who an address is without saying what it is: the same hash for the same person, in this workspace alone. SMS and calls share theirs. */
export type HashAddress = (channel: Channel, address: string) => string

/** @param scope addresses are to be in the form of `parseAddress`. */
export async function readAddressHash(scope: Scope, tx: TenantTx): Promise<HashAddress> {
  const key = await readKey(scope, tx)
  return (channel, address) =>
    createHmac('sha256', key)
      .update(`${channel === 'email' ? 'email' : 'phone'}\0${address}`)
      .digest('base64url')
}

async function readKey(scope: Scope, tx: TenantTx): Promise<Buffer> {
  const cached = known.get(tx.tenantId)
  if (cached) return cached
  const context = `address_keys:${tx.tenantId}`
  const stored = await store.findKey(tx)
  if (stored !== null) {
    const key = Buffer.from(scope.secrets.open(stored, context), 'base64url')
    // In a group it may be another member's, which is not committed yet.
    tx.afterCommit(() => {
      if (known.size >= MOST_KNOWN) known.clear()
      known.set(tx.tenantId, key)
    })
    return key
  }
  // Not remembered yet: this transaction may still roll back.
  await store.insertKey(tx, scope.secrets.seal(randomBytes(32).toString('base64url'), context), scope.clock.now())
  const made = await store.findKey(tx)
  if (made === null) throw new Error('the key of a workspace was not stored')
  return Buffer.from(scope.secrets.open(made, context), 'base64url')
}
