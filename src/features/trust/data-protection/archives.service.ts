import { conflict, Problem } from '../../../http/problems/problem.ts'
import { dueBy, listDueTenants, eachDueTenant } from '../../../platform/work/due-tenants.ts'
import { formatId, type Id } from '../../../platform/ids.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import { hashesOf, responsesOf, type Person, type PersonalStore } from '../../../platform/personal.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import { nextTurn } from '../../../platform/loop/turns.ts'
import * as store from './archives.store.ts'
import { audited, findRequest } from './requests.service.ts'

const PART_BYTES = 256 * 1024
const KEPT_MS = 7 * 86_400_000

/**
 * Seals and stores an archive part by part while it is written, so that the memory holds one. It expires after 7 days.
 * Each part is stored by `step`, a transaction under the caller's lease. Before anything is read, the parts of an
 * earlier try go, and an erasure finds the archive from then on. Returns the number of parts.
 */
export async function storeArchive(
  scope: Scope,
  { id, person, archive }: { id: Id<'privacyRequest'>; person: Person; archive: AsyncIterable<Buffer> },
  step: (work: (tx: TenantTx) => Promise<unknown>) => Promise<void>,
): Promise<number> {
  const expiresAt = new Date(scope.clock.now().getTime() + KEPT_MS)
  await step(async (tx) => {
    await store.deleteArchives(tx, [id])
    await store.insertArchive(tx, { id, expiresAt, hashes: hashesOf(person), responseIds: responsesOf(person) })
  })
  let parts = 0
  const add = async (bytes: Buffer) => {
    parts += 1
    const sealed = scope.secrets.seal(bytes.toString('base64'), sealContext(id, parts))
    await step((tx) => store.insertPart(tx, { id, part: parts, sealed, expiresAt }))
  }
  let rest = Buffer.alloc(0)
  for await (const piece of archive) {
    rest = Buffer.concat([rest, piece])
    for (; rest.length >= PART_BYTES; rest = rest.subarray(PART_BYTES)) await add(rest.subarray(0, PART_BYTES))
  }
  if (rest.length > 0) await add(rest)
  return parts
}

/** Whether all of an archive stands. An erasure of its person takes what there is while more is written. */
export async function isWhole(tx: TenantTx, id: Id<'privacyRequest'>, parts: number): Promise<boolean> {
  return (await store.countParts(tx, id)) === parts
}

/**
 * Opens an archive part by part. @throws Problem 404; 409 before it is ready, or for a request without an archive; 410
 * once it is gone.
 */
export async function readArchive(
  scope: Scope,
  id: Id<'privacyRequest'>,
): Promise<{ name: string; bytes: number; body: AsyncIterable<Uint8Array> }> {
  const { kind, dry_run, status } = await findRequest(scope, id)
  if (dry_run) throw conflict('no_archive', 'A dry run makes no archive. Make the request again without dry_run.')
  if (kind === 'erasure' || status === 'cancelled')
    throw conflict('no_archive', 'Only a request for access or portability has an archive.')
  if (status !== 'completed')
    throw conflict('not_ready', `The request is ${status}. Its archive is made when it is completed.`)
  const last = await scope.tx(async (tx) => {
    const found = await store.findLastPart(tx, id, scope.clock.now())
    if (found) audited(scope, tx, 'download', id)
    return found
  })
  if (!last)
    throw new Problem(410, 'archive_expired', {
      detail: 'The archive has expired, or its person was erased. Make a new request.',
    })
  const open = ({ part, sealed }: { part: number; sealed: string }) =>
    Buffer.from(scope.secrets.open(sealed, sealContext(id, part)), 'base64')
  const { lateReading } = scope.ports
  // Each is read when the client takes it, so a client that does not read keeps one in memory.
  async function* body(): AsyncGenerator<Uint8Array> {
    for (let at = 1; at <= (last?.part ?? 0); at += 1) {
      const part = await lateReading.read(scope.tenantId, (tx) => store.findPart(tx, id, at))
      // Cut off, the client sees that the file is not whole.
      if (!part) throw new Error('an archive went away while it was downloaded')
      yield open(part)
      await nextTurn()
    }
  }
  return {
    name: `${formatId('privacyRequest', id)}.zip`,
    bytes: (last.part - 1) * PART_BYTES + open(last).length,
    body: body(),
  }
}

/** Deletes archives past their time. */
export async function removeExpiredArchives(system: SystemScope, options: SweepOptions): Promise<number> {
  return eachDueTenant(
    options,
    (after) => listDueTenants(system, dueBy('privacy_archives', 'expires_at', system.clock.now()), after),
    (tenantId) => system.tenant(tenantId, { type: 'system' }).tx((tx) => store.deleteExpired(tx, system.clock.now())),
  )
}

/** Archives are personal data themselves. */
export const archivesStore: PersonalStore = {
  store: 'archives',
  table: 'privacy_archives',
  columns: ['sealed', 'hashes'],
  find: async (_scope, tx, person) => ({
    keys: await store.listArchivesOf(tx, hashesOf(person), responsesOf(person)),
  }),
  erase: (_scope, tx, keys) => store.deleteArchives(tx, keys),
  export: async (_scope, tx, keys) =>
    (await store.listExpiries(tx, keys)).map(({ id, expires_at }) => ({
      request_id: formatId('privacyRequest', id),
      expires_at: expires_at.toISOString(),
    })),
}

function sealContext(id: string, part: number): string {
  return `privacy_archives:${id}:${part}`
}
