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

/** Stores an archive, sealed in parts. It expires after 7 days. */
export async function storeArchive(
  scope: Scope,
  tx: TenantTx,
  { id, person, parts }: { id: Id<'privacyRequest'>; person: Person; parts: string[] },
): Promise<void> {
  await store.replaceArchive(tx, {
    id,
    parts,
    hashes: hashesOf(person),
    responseIds: responsesOf(person),
    expiresAt: new Date(scope.clock.now().getTime() + KEPT_MS),
  })
}

/** Seals an archive while it is written. */
export async function sealParts(
  scope: Scope,
  id: Id<'privacyRequest'>,
  archive: AsyncIterable<Buffer>,
): Promise<string[]> {
  const parts: string[] = []
  const seal = (bytes: Buffer) =>
    parts.push(scope.secrets.seal(bytes.toString('base64'), sealContext(id, parts.length)))
  let rest = Buffer.alloc(0)
  for await (const piece of archive) {
    rest = Buffer.concat([rest, piece])
    for (; rest.length >= PART_BYTES; rest = rest.subarray(PART_BYTES)) seal(rest.subarray(0, PART_BYTES))
  }
  if (rest.length > 0) seal(rest)
  return parts
}

/** Opens an archive part by part. @throws Problem 404; 409 before it is ready, or for a request without an archive; 410 once it is gone. */
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
    for (let at = 0; at <= (last?.part ?? -1); at += 1) {
      const part = await lateReading.read(scope.tenantId, (tx) => store.findPart(tx, id, at))
      // Cut off, the client sees that the file is not whole.
      if (!part) throw new Error('an archive went away while it was downloaded')
      yield open(part)
      await nextTurn()
    }
  }
  return {
    name: `${formatId('privacyRequest', id)}.zip`,
    bytes: last.part * PART_BYTES + open(last).length,
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
