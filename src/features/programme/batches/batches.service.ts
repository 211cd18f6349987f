import type { z } from 'zod'
import { conflict, notFound, Problem, unprocessable } from '../../../http/problems/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import type { Filter } from '../../../platform/filter/grammar.ts'
import { formatId, newId, parseId, type Id } from '../../../platform/ids.ts'
import { heldBy } from '../../../platform/readers.ts'
import { callerId } from '../../../platform/principal.ts'
import type { Scope } from '../../../platform/scope.ts'
import { SWEEPS } from '../../../platform/work/sweeps.ts'
import { requireHeld } from '../../access/roles/permission-rules.ts'
import { lockWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { permissionsToChoose } from '../../outreach/segments/references.service.ts'
import type { AcceptedBatch, Batch, BatchAnswer, BatchList } from './batches.schema.ts'
import * as store from './batches.store.ts'
import { KINDS } from './kinds.service.ts'
import { changeRow, checkReferences, tryOnly, type Result } from './rows.service.ts'
import { openChange, sealChange } from './words.ts'
import type { ChangeType } from '../../../platform/topics.ts'
import { recordChanges } from '../../../platform/changes/changes.ts'

export const MOST_ROWS = 100_000
/** Rows that a dry run by filter tries, and how long it does: a proxy ends a longer call. */
const MOST_TRIED = 10_000
const TRIES_FOR_MS = 60_000
const MOST_AT_ONCE = 3
const UNDO_MS = 30 * 60_000
/** A request that ends before its rows are done leaves them to a sweep. */
const TAKEN_OVER_MS = 60_000

const audited = auditOf('batch')

interface Asked {
  do: Record<string, unknown>
  dry_run: boolean
}

const NOT_FOUND: Result = { outcome: 'failed', status: 404, code: 'not_found', detail: 'There is no such row.' }

/** Changes rows by their ids. @throws Problem 422 for an unknown reference, 429 `too_many_batches`. */
export async function changeByIds(
  scope: Scope,
  list: BatchList,
  { ids, do: change, dry_run }: Asked & { ids: string[] },
): Promise<z.input<typeof BatchAnswer>> {
  const kind = KINDS[list]
  const named = ids.map((text, index) => ({ text, index, id: parseId(kind.idKind, text) as string | null }))
  // The same row twice counts once. So does the same text that names no row.
  const seen = new Set<string>()
  const rows = named.filter(({ id, text }) => !seen.has(id ?? text) && seen.add(id ?? text))
  const known = rows.flatMap(({ id }) => id ?? [])
  const work = { list, change }
  await checkReferences(scope, work)
  const batch = dry_run ? null : await scope.tx((tx) => insert(scope, tx, work, known))
  const results = []
  for (const { id, text, index } of rows) {
    const result =
      id === null ? NOT_FOUND : batch ? await changeRow(scope, batch.id, id, work) : await tryOnly(scope, id, work)
    const isThere = result.status !== 404
    results.push({ index, ...(isThere && { id: text }), ...(isThere ? result : NOT_FOUND) })
  }
  if (batch) await scope.tx(async (tx) => endIfDone(scope, tx, batch.id))
  return { ...(batch && { id: formatId('batch', batch.id) }), dry_run, ...countsOf(results), results }
}

/**
 * Accepts a change of all rows that pass a filter now. A sweep works on them.
 * @param gone ends a dry run.
 * @throws Problem 403 for a filter by what the caller may not see, 409 `changed`, 422 `too_many` or an unknown
 * reference.
 */
export async function changeByFilter(
  scope: Scope,
  list: BatchList,
  asked: Asked & { filter: Filter; search?: string | undefined; expect?: number | undefined },
  gone?: AbortSignal,
): Promise<z.input<typeof BatchAnswer> | z.input<typeof AcceptedBatch>> {
  const kind = KINDS[list]
  const { do: change, filter, search, expect, dry_run } = asked
  requireHeld(scope.principal, await scope.read((tx) => permissionsToChoose(tx, kind.entity, filter)))
  const work = { list, change }
  await checkReferences(scope, work)
  if (dry_run) return tryAll(scope, work, asked, gone)
  return scope.tx(async (tx) => {
    const keys = await kind.select(scope, tx, filter, search)
    const matching = await store.countKeys(tx, keys, MOST_ROWS + 1)
    refuseCount(matching, expect)
    const batch = await insert(scope, tx, work, keys, matching)
    scope.wakeAfter(tx, SWEEPS, { group: '', ids: [] })
    return { id: formatId('batch', batch.id), total: batch.total }
  })
}

/** @throws Problem 404, 403 for others than its maker without its permission. */
export async function getBatch(scope: Scope, id: Id<'batch'>): Promise<z.input<typeof Batch>> {
  return scope.read(async (tx) => present(scope, tx, requireMine(scope, await store.findBatch(tx, id))))
}

/** Leaves the rows that are not done yet as they are. */
export async function cancelBatch(scope: Scope, id: Id<'batch'>): Promise<z.input<typeof Batch>> {
  return scope.tx(async (tx) => {
    const row = requireMine(scope, await store.lockBatch(tx, id))
    if (row.status !== 'running' && row.status !== 'paused')
      throw conflict('invalid_state', `This batch is ${row.status}. Only a running batch can be cancelled.`)
    const now = scope.clock.now()
    const cancelled = { ...row, status: 'cancelled' as const, completed_at: now, next_at: null }
    await store.saveBatch(tx, { ...cancelled, undo_until: undoUntil(row, now) })
    audited(scope, tx, 'cancel', id)
    noteBatch(scope, tx, row)
    return present(scope, tx, { ...cancelled, undo_until: undoUntil(row, now) })
  })
}

/** @throws Problem 409 `not_undoable`, 403 without the permission of the list. */
export async function undoBatch(scope: Scope, id: Id<'batch'>): Promise<z.input<typeof Batch>> {
  return scope.tx(async (tx) => {
    const row = requireMine(scope, await store.lockBatch(tx, id))
    requireHeld(scope.principal, [KINDS[row.list].permission])
    const now = scope.clock.now()
    const hasEnded = row.status === 'completed' || row.status === 'cancelled'
    if (!hasEnded || row.undo_until === null || row.undo_until <= now)
      throw conflict('not_undoable', 'This batch cannot be undone: it runs, its time is over, or its change is final.')
    // Without an end, so that the earlier values stay until the rows have them.
    const undoing = {
      ...row,
      status: 'undoing' as const,
      maker: callerId(scope.principal),
      undo_until: null,
      failures: 0,
      next_at: now,
    }
    await store.saveBatch(tx, undoing)
    audited(scope, tx, 'undo', id)
    noteBatch(scope, tx, row)
    scope.wakeAfter(tx, SWEEPS, { group: '', ids: [] })
    return present(scope, tx, undoing)
  })
}

/** Ends a batch without rows that are left. Returns whether it did. */
export async function endIfDone(scope: Scope, tx: TenantTx, id: Id<'batch'>): Promise<boolean> {
  const row = await store.lockBatch(tx, id)
  if (!row || row.next_at === null) return true
  const isUndoing = row.status === 'undoing'
  if ((await store.listLeft(tx, id, isUndoing ? 'undo' : 'do', 1)).length > 0) return false
  const now = scope.clock.now()
  await store.saveBatch(tx, {
    ...row,
    status: isUndoing ? 'undone' : 'completed',
    completed_at: row.completed_at ?? now,
    undo_until: isUndoing ? null : undoUntil(row, now),
    words: isUndoing ? null : row.words,
    next_at: null,
  })
  noteBatch(scope, tx, row)
  return true
}

/** When earlier values go, which an undo needs. Null if there are none. */
export function undoUntil({ list, change }: store.BatchRow, now: Date): Date | null {
  return KINDS[list].canUndo(change as never) ? new Date(now.getTime() + UNDO_MS) : null
}

/** For the streams of its maker, and of those who may read it. */
export function noteBatch(scope: Scope, tx: TenantTx, row: store.BatchRow, type: ChangeType = 'updated'): void {
  recordChanges(scope, tx, [
    {
      topic: 'batches',
      type,
      objectId: formatId('batch', row.id),
      userId: parseId('user', row.created_by ?? ''),
      permission: KINDS[row.list].permission,
    },
  ])
}

/** @param keys the ids of rows, or a query of them. */
async function insert(
  scope: Scope,
  tx: TenantTx,
  { list, change }: { list: BatchList; change: Record<string, unknown> },
  keys: string[] | Parameters<typeof store.insertRows>[2],
  matching?: number,
): Promise<store.BatchRow> {
  // One after another, so that two requests never count the same ones.
  await lockWorkspace(tx)
  if ((await store.countRunning(tx)) >= MOST_AT_ONCE)
    throw new Problem(429, 'too_many_batches', {
      detail: `A workspace can run ${MOST_AT_ONCE} batches at a time. Wait for one to end.`,
      retryAfter: 10,
    })
  const now = scope.clock.now()
  const areIds = Array.isArray(keys)
  const maker = callerId(scope.principal)
  const id = newId('batch')
  const row: store.BatchRow = {
    id,
    list,
    ...sealChange(scope.secrets, id, change),
    status: 'running',
    total: areIds ? keys.length : (matching ?? 0),
    maker,
    created_by: maker,
    created_at: now,
    completed_at: null,
    undo_until: null,
    paused_reason: null,
    failures: 0,
    next_at: areIds ? new Date(now.getTime() + TAKEN_OVER_MS) : now,
  }
  await store.insertBatch(tx, row)
  await store.insertRows(tx, row.id, areIds ? store.keysOf(keys) : keys)
  noteBatch(scope, tx, row, 'created')
  audited(scope, tx, 'create', row.id, { changes: [{ path: 'total', to: row.total }] })
  return row
}

async function tryAll(
  scope: Scope,
  work: { list: BatchList; change: Record<string, unknown> },
  { filter, search, expect }: { filter: Filter; search?: string | undefined; expect?: number | undefined },
  gone: AbortSignal | undefined,
): Promise<z.input<typeof BatchAnswer>> {
  const until = scope.clock.now().getTime() + TRIES_FOR_MS
  const { total, ids } = await scope.read(async (tx) => {
    const keys = await KINDS[work.list].select(scope, tx, filter, search)
    const found = await store.countKeys(tx, keys, MOST_ROWS + 1)
    refuseCount(found, expect)
    return { total: found, ids: await store.listKeys(tx, keys, MOST_TRIED) }
  })
  const results: Result[] = []
  for (const id of ids) {
    if (gone?.aborted || scope.clock.now().getTime() >= until) break
    results.push(await tryOnly(scope, id, work))
  }
  const by_code: Record<string, number> = {}
  for (const { code } of results) if (code !== null) by_code[code] = (by_code[code] ?? 0) + 1
  return { dry_run: true, ...countsOf(results), total, by_code }
}

function refuseCount(matching: number, expect: number | undefined): void {
  if (matching > MOST_ROWS)
    throw unprocessable('too_many', [
      { path: 'filter', message: `More than ${MOST_ROWS.toLocaleString('en')} rows match. Narrow the filter.` },
    ])
  if (expect !== undefined && expect !== matching)
    throw new Problem(409, 'changed', {
      detail: 'Another number of rows matches now. Look at them again.',
      extra: { matching },
    })
}

function countsOf(results: Array<Pick<Result, 'outcome'>>) {
  const having = (wanted: store.Outcome) => results.filter(({ outcome }) => outcome === wanted).length
  return {
    total: results.length,
    changed: having('changed'),
    unchanged: having('unchanged'),
    failed: having('failed'),
  }
}

/** @throws Problem 404; 403 for others than its maker. */
function requireMine(scope: Scope, row: store.BatchRow | undefined): store.BatchRow {
  if (!row) throw notFound('batch')
  const needed = KINDS[row.list].permission
  if (row.created_by !== callerId(scope.principal) && !heldBy(scope.principal).has(needed))
    requireHeld(scope.principal, [needed])
  return row
}

async function present(
  scope: Scope,
  tx: Parameters<typeof store.tally>[0],
  row: store.BatchRow,
): Promise<z.input<typeof Batch>> {
  const tallies = await store.tally(tx, row.id, row.status === 'undone')
  const sum = (wanted: store.Outcome) =>
    tallies.filter(({ outcome }) => outcome === wanted).reduce((total, { n }) => total + n, 0)
  const failures = await store.listFailures(tx, row.id, 100)
  const { idKind } = KINDS[row.list]
  return {
    id: formatId('batch', row.id),
    list: row.list,
    do: openChange(scope.secrets, row),
    status: row.status,
    total: row.total,
    changed: sum('changed'),
    unchanged: sum('unchanged'),
    failed: sum('failed'),
    by_code: Object.fromEntries(
      tallies.flatMap(({ outcome, code, n }) => (outcome === 'failed' && code ? [[code, n]] : [])),
    ),
    failures: failures.map(({ row_id, code }) => ({ id: formatId(idKind, row_id as never), code })),
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
    undo_until: row.undo_until?.toISOString() ?? null,
    paused_reason: row.paused_reason,
  }
}
