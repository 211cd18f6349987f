import type { z } from 'zod'
import { presentPage, type Page, type PageRequest } from '../../../http/routes/pagination.ts'
import { badRequest, notFound, Problem, tooLarge, unprocessable } from '../../../http/problems/problem.ts'
import { hashInFile } from '../../../platform/look/asset-address.ts'
import { createWorkThread, WorkFailedError } from '../../../platform/loop/work-thread.ts'
import type { ReadTx } from '../../../platform/database/database.ts'
import { unregister } from '../../../platform/database/directory.ts'
import { eachDueTenant, hasDue, listDueTenants } from '../../../platform/work/due-tenants.ts'
import { formatId, type Id, type TenantId } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { StorageError } from '../../../platform/ports/storage-port.ts'
import type { Sweep, SweepOptions } from '../../../platform/work/sweeps.ts'
import { assetPath, MOST_BYTES, refusal, type PictureRefusal } from './picture.ts'
import type { Asset } from './assets.schema.ts'
import * as store from './assets.store.ts'
import { findTenantOfAsset } from './assets.store.ts'
import { audited, fileOf, keepPicture } from './keeping.service.ts'
import type { PictureResult, PictureTask } from './picture-worker.ts'

type Presented = z.input<typeof Asset>

/** Something that shows a picture. */
export interface AssetUse {
  type: string
  id: string
  name: string
}

/** Finds what shows a picture, by the hash in its address. */
export type ListUses = (scope: Scope, tx: ReadTx, hash: string) => Promise<AssetUse[]>

/**
 * @param readAlt checks the alternative text of a form.
 * @throws Problem 400, 413, 415, 422 for a file that becomes no picture, 503.
 */
export async function createAsset(
  scope: Scope,
  task: PictureTask,
  readAlt: (inForm: string | null) => string | null,
): Promise<Presented> {
  const result = await redraw(scope.tenantId, task)
  if ('refused' in result) throw problemOf(result)
  const alt = readAlt(result.alt)
  return present(scope, await keepPicture(scope, result.picture, alt, (work) => scope.tx(work)))
}

export async function listAssets(scope: Scope, page: PageRequest): Promise<Page<Presented>> {
  return presentPage(await scope.read((tx) => store.listAssets(tx, page)), page, (row) => present(scope, row))
}

/** @throws Problem 404. */
export async function getAsset(scope: Scope, id: Id<'asset'>): Promise<Presented> {
  const row = await scope.read((tx) => store.findAsset(tx, id))
  if (!row) throw notFound('asset')
  return present(scope, row)
}

/** @throws Problem 404; 409 `in_use` with `used_by`. */
export async function deleteAsset(scope: Scope, id: Id<'asset'>, uses: ListUses[]): Promise<void> {
  await scope.tx(async (tx) => {
    const row = await store.lockAsset(tx, id)
    if (!row) throw notFound('asset')
    const usedBy: AssetUse[] = []
    for (const list of uses) usedBy.push(...(await list(scope, tx, row.hash)))
    if (usedBy.length > 0)
      throw new Problem(409, 'in_use', {
        detail: 'Something still shows this picture. `used_by` lists it.',
        extra: { used_by: usedBy },
      })
    await store.dropAsset(tx, id, scope.clock.now())
    await unregister(tx, store.DIRECTORY_KIND, [row.hash])
    audited(scope, tx, 'delete', id)
  })
}

/** A picture by the name of its file. @throws Problem 404. */
export async function openAsset(scope: Scope, file: string): Promise<store.AssetRow> {
  const hash = hashInFile(file)
  const row = hash === null ? undefined : await scope.read((tx) => store.findByHash(tx, hash))
  if (!row || !assetPath(row).endsWith(`/${file}`)) throw notFound('asset')
  return row
}

/** @throws Problem 503 if the store of files fails. */
export async function readAsset(
  scope: Scope,
  { id, bytes }: store.AssetRow,
  owner = scope.tenantId,
): Promise<AsyncIterable<Uint8Array>> {
  try {
    return await scope.ports.storage.read(fileOf(owner, id), { from: 0, until: bytes })
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    scope.log.error({ err: error, requestId: scope.requestId }, 'a picture could not be read')
    throw new Problem(503, 'storage_unavailable', {
      detail: 'The picture cannot be read right now. Try again in a moment.',
      retryAfter: 30,
    })
  }
}

export function addressOf(scope: Scope, row: store.AssetRow): string {
  return scope.settings.baseUrl + assetPath(row)
}

export const isDue: NonNullable<Sweep['isDue']> = (tx, now, among) => hasDue(tx, among, store.leaving(now))

/** Removes pictures that were deleted or never kept: first the file, then the row. */
export function removeLeaving(system: SystemScope, options: SweepOptions): Promise<number> {
  const now = system.clock.now()
  return eachDueTenant(
    options,
    (after) => listDueTenants(system, store.leaving(now), after),
    async (tenantId) => {
      const scope = system.tenant(tenantId, { type: 'system' })
      const ids = await scope.read((tx) => store.listLeaving(tx, now, options.limit))
      await scope.ports.storage.remove(ids.map((id) => fileOf(tenantId, id)))
      return scope.tx((tx) => store.deleteAssets(tx, ids))
    },
  )
}

function problemOf({ refused, message }: PictureRefusal): Problem {
  const issues = [{ path: 'file', message }]
  switch (refused) {
    case 'no_file':
      return badRequest(issues)
    case 'too_many_bytes':
      return tooLarge(MOST_BYTES)
    case 'unknown_type':
    case 'picture_too_large':
    case 'invalid_picture':
      return unprocessable(refused, issues)
  }
}

function present(scope: Scope, row: store.AssetRow): Presented {
  const { type, width, height, bytes, alt } = row
  return {
    id: formatId('asset', row.id),
    url: addressOf(scope, row),
    type,
    width,
    height,
    bytes,
    alt,
    created_at: row.created_at.toISOString(),
  }
}

/** The workspace of a picture, by the name of its file. */
export async function tenantOfFile(system: SystemScope, { file }: { file: string }): Promise<TenantId | null> {
  const hash = hashInFile(file)
  return hash === null ? null : system.tx((tx) => findTenantOfAsset(tx, hash))
}

// The slowest picture that is allowed, a WebP without loss of 12 megapixels, takes 4 s on an idle machine.
const DRAWING_MS = 20_000

const thread = createWorkThread<PictureTask, PictureResult>(new URL('./picture-worker.ts', import.meta.url), {
  name: 'pictures',
  mostMs: DRAWING_MS,
  memoryMb: 128,
})

/** Draws an uploaded picture of a workspace anew, on another thread. @throws Problem 503 if too many pictures wait. */
export async function redraw(of: string, task: PictureTask): Promise<PictureResult> {
  try {
    return await thread.run(task, of)
  } catch (error) {
    if (!(error instanceof WorkFailedError)) throw error
    if (error.reason === 'busy')
      throw new Problem(503, 'busy', {
        detail: 'This server is working on other pictures. Nothing was stored. Send it again in a moment.',
        retryAfter: 5,
      })
    return refusal('invalid_picture', 'This picture takes too long to read. Make it simpler or smaller.')
  }
}
