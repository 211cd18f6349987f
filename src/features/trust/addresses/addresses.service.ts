import { createHmac, randomBytes } from 'node:crypto'
import { cacheOf } from '../../../platform/config/caches.ts'
import type { Channel } from '../../../platform/ports/provider.ts'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import type { TenantId } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import * as store from './addresses.store.ts'

const KEY_BYTES = 32
// A workspace keeps its key for good, so a cached key stays right.
const KEYS = cacheOf<TenantId, Buffer>({ max: 10_000 })

/**
 * Identifies a person without revealing the address: the same hash for the same person, in this workspace only. SMS and
 * calls share one. The hash of a word of a name is that of everybody who has this word.
 */
export type HashAddress = (kind: Channel | 'name', text: string) => string

/** Hashes addresses in the form of `parseAddress`. Creates the workspace's key if it has none. */
export async function ensureAddressHash(scope: Scope, tx: TenantTx): Promise<HashAddress> {
  const key = await findKey(scope, tx)
  return hashWith(key ?? (await makeKey(scope, tx)))
}

/** The same for look-ups. A workspace without a key has stored no hash, so any other key finds nothing. */
export async function readAddressHash(scope: Scope, tx: ReadTx): Promise<HashAddress> {
  return hashWith((await findKey(scope, tx)) ?? randomBytes(KEY_BYTES))
}

function hashWith(key: Buffer): HashAddress {
  return (kind, text) =>
    createHmac('sha256', key)
      .update(`${kind === 'sms' || kind === 'voice' ? 'phone' : kind}\0${text}`)
      .digest('base64url')
}

async function findKey(scope: Scope, tx: ReadTx): Promise<Buffer | null> {
  const known = scope.caches.of(KEYS)
  const cached = known.get(tx.tenantId)
  if (cached) return cached
  const stored = await store.findKey(tx)
  if (stored === null) return null
  const key = open(scope, tx.tenantId, stored)
  // In a shared commit the key may come from another transaction and not be committed yet.
  tx.afterCommit(() => known.set(tx.tenantId, key))
  return key
}

// Not cached, because this transaction may still roll back.
async function makeKey(scope: Scope, tx: TenantTx): Promise<Buffer> {
  await store.insertKey(
    tx,
    scope.secrets.seal(randomBytes(KEY_BYTES).toString('base64url'), contextOf(tx.tenantId)),
    scope.clock.now(),
  )
  // Another request may have created it at the same moment.
  const made = await store.findKey(tx)
  if (made === null) throw new Error('the key of a workspace was not stored')
  return open(scope, tx.tenantId, made)
}

function open(scope: Scope, tenantId: TenantId, sealed: string): Buffer {
  return Buffer.from(scope.secrets.open(sealed, contextOf(tenantId)), 'base64url')
}

function contextOf(tenantId: TenantId): string {
  return `address_keys:${tenantId}`
}
