import { conflict, Problem } from '../../../http/problems/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import { isUniqueViolation, tenantTransaction, type TenantTx } from '../../../platform/database/database.ts'
import { register } from '../../../platform/database/directory.ts'
import { newIdAt, type Id, type TenantId } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { StorageError } from '../../../platform/ports/storage-port.ts'
import { hashOf, type Picture } from './picture.ts'
import { Asset } from './assets.schema.ts'
import * as store from './assets.store.ts'

export const audited = auditOf('asset', { schema: Asset })

/** Runs the transaction that makes the picture count. */
type Commit = <T>(work: (tx: TenantTx) => Promise<T>) => Promise<T>

const MOST_ASSETS = 10_000
const STORED_WITHIN_MS = 3_600_000
const TRIES = 3

/** Where the file of a picture is kept. */
export function fileOf(tenantId: TenantId, id: Id<'asset'>): string {
  return `assets/${tenantId}/${id}`
}

/**
 * Keeps a picture. The row comes first and names the time of its removal, so a file never stays behind without a row.
 * A picture that the workspace has already stays one, and takes the new alternative text.
 * @throws Problem 409 if the workspace has too many, 503 if the store of files fails.
 */
export async function keepPicture(
  scope: Scope,
  picture: Picture,
  alt: string | null,
  commit: Commit,
): Promise<store.AssetRow> {
  for (let tries = 1; ; tries++) {
    try {
      const kept = await keepOnce(scope, picture, alt, commit)
      if (kept) return kept
    } catch (error) {
      // Another request has just kept the same picture.
      if (!isUniqueViolation(error) || tries === TRIES) throw error
    }
    if (tries === TRIES) throw storeFailed()
  }
}

/** A transaction beside the effect of the request, which leaves its Idempotency-Key unmarked. */
export function besides(scope: Scope): Commit {
  return (work) => tenantTransaction(scope.ports.database, scope.tenantId, work)
}

async function keepOnce(
  scope: Scope,
  picture: Picture,
  alt: string | null,
  commit: Commit,
): Promise<store.AssetRow | undefined> {
  const hash = hashOf(picture)
  const known = await scope.read((tx) => store.findByHash(tx, hash))
  if (known) return commit((tx) => recorded(scope, tx, store.updateAlt(tx, known.id, alt)))
  const id = await storeFile(scope, picture, { hash, alt })
  return commit(async (tx) => {
    const kept = await recorded(scope, tx, store.keepAsset(tx, id, scope.clock.now()))
    if (kept && (await store.countAssets(tx)).count > MOST_ASSETS)
      throw conflict('too_many_assets', `A workspace can have at most ${MOST_ASSETS} pictures. Delete one first.`)
    // The public address uses this to find the workspace.
    if (kept) await register(tx, store.DIRECTORY_KIND, [hash])
    return kept
  })
}

async function recorded(scope: Scope, tx: TenantTx, change: Promise<store.AssetRow | undefined>) {
  const row = await change
  if (row) audited(scope, tx, 'create', row.id, { after: row })
  return row
}

async function storeFile(
  scope: Scope,
  { bytes, type, width, height }: Picture,
  { hash, alt }: { hash: string; alt: string | null },
): Promise<Id<'asset'>> {
  const now = scope.clock.now()
  const id = newIdAt('asset', now)
  const row = { id, hash, type, width, height, bytes: bytes.byteLength, alt, created_at: now }
  const removeAt = new Date(now.getTime() + STORED_WITHIN_MS)
  await besides(scope)((tx) => store.insertAsset(tx, row, removeAt))
  try {
    await scope.ports.storage.put(fileOf(scope.tenantId, id), once(bytes))
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    scope.log.error({ err: error, requestId: scope.requestId }, 'a picture could not be stored')
    throw storeFailed()
  }
  return id
}

function storeFailed(): Problem {
  return new Problem(503, 'storage_unavailable', {
    detail: 'The picture could not be stored. Nothing was kept. Send it again in a moment.',
    retryAfter: 30,
  })
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
