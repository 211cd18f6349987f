import { LeaseLost } from '../../../../platform/work/leases.ts'
import { formatId } from '../../../../platform/ids.ts'
import type { TenantTx } from '../../../../platform/database/database.ts'
import type { StoragePort } from '../../../../platform/ports/storage-port.ts'
import { stageEmail } from '../../../access/mail/mail.service.ts'
import { memberPermissions } from '../../../access/members/membership.service.ts'
import { readWorkspace } from '../../../access/workspaces/workspaces.service.ts'
import { stageEvent } from '../../../delivery/publishing/publishing.service.ts'
import type { StoredDestination } from '../definition/definition.ts'
import type { Claim } from './claims.service.ts'
import * as parts from './parts.store.ts'
import { DestinationError, MakerError, type RunError } from './run-status.ts'
import { manifestOf, nameOfPart } from './runs.service.ts'
import * as store from './runs.store.ts'

const KEPT_DAYS = 30
const DAY_MS = 86_400_000

// Of a whole try, however often the server of the tenant keeps its parts waiting.
const DELIVERY_MS = 10 * 60_000
const LOOK_MS = 10_000
const REMOVED_WITHIN_MS = 60_000
const MANIFEST = 'manifest.json'

type Target = Extract<StoredDestination, { type: 's3' }>

/**
 * Copies the parts to the tenant's own bucket, the manifest last. Other destinations need no copy. @throws MakerError
 */
export async function deliverRun(run: Claim): Promise<void> {
  const destination = destinationOf(run)
  if (destination.type !== 's3') return run.asMaker()
  const bucket = run.scope.ports.buckets.open(destination)
  const lost = new AbortController()
  const late = AbortSignal.timeout(DELIVERY_MS)
  const signal = AbortSignal.any([run.signal, lost.signal, late])
  // The server may be silent for longer than a lease.
  const keeper = setInterval(() => void run.alive().catch((error) => lost.abort(error)), LOOK_MS)
  try {
    await copyTo(bucket, destination, run, signal)
  } catch (error) {
    if (lost.signal.reason instanceof MakerError) throw lost.signal.reason
    // This process stops, or another has the run.
    const isLost = run.signal.aborted || lost.signal.aborted || error instanceof LeaseLost
    if (!isLost) throw error
    await removeReplaced(bucket, destination, run)
    throw new LeaseLost()
  } finally {
    clearInterval(keeper)
  }
}

async function copyTo(bucket: StoragePort, destination: Target, run: Claim, signal: AbortSignal): Promise<void> {
  const { scope, row } = run
  const folder = folderOf(destination, row, row.delivery_round)
  // From here an erasure names the copy, also if the worker dies before the first byte.
  const begin = () =>
    run.asMaker(async (tx) => {
      row.delivery_began_at ??= scope.clock.now()
      await store.saveRun(tx, row)
    })
  const all = await scope.read((tx) => parts.listParts(tx, row.id))
  for (const part of all) {
    if (part.delivered_at) continue
    await begin()
    const body = await scope.ports.storage.read(part.object_key, { from: 0, until: part.bytes })
    await put(bucket, `${folder}${nameOfPart(row, part.n)}`, whileAlive(run, body), signal)
    row.failures = 0
    await run.step(async (tx) => {
      await parts.markDelivered(tx, row.id, part.n, scope.clock.now())
      await store.saveRun(tx, row)
    })
  }
  await begin()
  await put(bucket, `${folder}${MANIFEST}`, textOf(JSON.stringify(manifestOf(row, all), null, 2)), signal)
  await removeEarlier(bucket, destination, row, signal)
}

/**
 * A write of an earlier round may end at any time, even after its connection, so no later round has its key.
 * docs/exports.md, "Erasure"
 */
function folderOf({ prefix = '' }: Target, { id }: store.RunRow, round: number): string {
  const folder = `${formatId('exportRun', id)}${round === 1 ? '' : `-${round}`}/`
  return `${prefix.replace(/(?<!\/)\/*$/, '/').replace(/^\/+/, '')}${folder}`
}

/** The next round may have looked for files before the last one came. */
async function removeReplaced(bucket: StoragePort, target: Target, { scope, row, signal }: Claim): Promise<void> {
  const now = await scope.read((tx) => store.findRun(tx, row.id))
  if (now) await removeEarlier(bucket, target, now, signal)
}

/** Files that an erasure has replaced, as far as the bucket lets us. Its certificate names them anyway. */
async function removeEarlier(bucket: StoragePort, target: Target, row: store.RunRow, signal: AbortSignal) {
  const names = [MANIFEST, ...Array.from({ length: row.total_parts }, (_, at) => nameOfPart(row, at + 1))]
  for (let round = 1; round < row.delivery_round; round++) {
    const keys = names.map((name) => folderOf(target, row, round) + name)
    await bucket.remove(keys, AbortSignal.any([signal, AbortSignal.timeout(REMOVED_WITHIN_MS)])).catch(() => {})
  }
}

/** Ends a run, with its event and its mails, in one transaction. */
export async function completeRun(run: Claim): Promise<void> {
  const { scope, row } = run
  const now = scope.clock.now()
  await run.step(async (tx) => {
    const { retention } = await readWorkspace(tx)
    const expiresAt = new Date(now.getTime() + (retention.exports_days ?? KEPT_DAYS) * DAY_MS)
    const after = {
      ...row,
      status: 'completed' as const,
      phase_started_at: now,
      completed_at: now,
      expires_at: expiresAt,
      failures: 0,
    }
    await store.saveRun(tx, after, expiresAt)
    await stageLinks(run, tx)
    await stageEvent(scope, tx, {
      type: 'export.completed',
      surveyId: null,
      source: `export:${row.id}:completed`,
      data: {
        exportRunId: formatId('exportRun', row.id),
        rows: row.rows,
        parts: row.parts,
        completedAt: now.toISOString(),
      },
    })
  })
}

/** Ends a run that cannot be completed. Its files are removed next. */
export async function failRun(run: Claim, error: RunError): Promise<void> {
  const { scope, row } = run
  const now = scope.clock.now()
  await run.step(async (tx) => {
    await store.saveRun(tx, { ...row, status: 'failed', phase_started_at: now, error, failures: 0 }, now)
    await stageEvent(scope, tx, {
      type: 'export.failed',
      surveyId: null,
      source: `export:${row.id}:failed`,
      data: { exportRunId: formatId('exportRun', row.id), code: error.code, failedAt: now.toISOString() },
    })
  })
}

export function destinationOf({ scope, row }: Pick<Claim, 'scope' | 'row'>): StoredDestination {
  return JSON.parse(scope.secrets.open(row.sealed, `export_runs:${row.id}`)) as StoredDestination
}

async function stageLinks(run: Claim, tx: TenantTx): Promise<void> {
  const { scope, row } = run
  const destination = destinationOf(run)
  if (destination.type !== 'email') return
  const link = `${scope.settings.baseUrl}/app/exports/${formatId('exportRun', row.id)}`
  const needed = ['exports.manage' as const, ...row.demands]
  for (const userId of destination.recipients) {
    const held = await memberPermissions(tx, userId)
    if (!needed.every((permission) => held?.includes(permission))) continue
    await stageEmail(scope, tx, {
      kind: 'export',
      to: { userId },
      subject: 'Your export is ready',
      text: `The export of ${row.source} is ready: ${counted(row.rows, 'row')} in ${counted(row.parts, 'file')}.\n\nSign in to download it:\n\n${link}\n`,
    })
  }
}

function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}

async function put(
  bucket: StoragePort,
  key: string,
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await bucket.put(key, body, signal)
  } catch (error) {
    if (error instanceof LeaseLost || error instanceof MakerError) throw error
    throw new DestinationError(error)
  }
}

async function* whileAlive(run: Claim, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    await run.alive()
    yield chunk
  }
}

async function* textOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
