import { Problem } from '../../../http/problems/problem.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { isSame, KINDS, type BatchKind, type Snapshot } from './kinds.service.ts'
import type { BatchList } from './batches.schema.ts'
import * as store from './batches.store.ts'

export interface Result {
  outcome: store.Outcome
  status: number
  code: string | null
  detail: string | null
}

interface Work {
  list: BatchList
  change: Record<string, unknown>
}

export interface Snapshots {
  before: Snapshot
  after: Snapshot
}

/** Somebody else has done the row, or nothing is to be done. */
class Passed extends Error {
  readonly result: Result
  constructor(result: Result) {
    super('the transaction of this row is not wanted')
    this.name = 'Passed'
    this.result = result
  }
}

const DONE = { status: 200, code: null, detail: null } as const
const UNCHANGED: Result = { outcome: 'unchanged', ...DONE }

/** Changes one row by its verb. The outcome is written in the transaction of the verb, so each row changes once. */
export async function changeRow(scope: Scope, batchId: Id<'batch'>, rowId: string, work: Work): Promise<Result> {
  const kind = KINDS[work.list]
  const result = await tryRow(scope, kind, rowId, work, async (tx, kept, outcome) => {
    const written = await store.recordRow(tx, batchId, rowId, {
      outcome,
      kept: outcome === 'changed' && kind.canUndo(work.change as never) ? seal(scope, batchId, rowId, kept) : null,
    })
    if (written === 0) throw new Passed(UNCHANGED)
  })
  if (result.outcome === 'failed')
    await scope.tx((tx) => store.recordRow(tx, batchId, rowId, { outcome: 'failed', code: result.code }))
  return result
}

/** The same, without leaving anything. */
export function tryOnly(scope: Scope, rowId: string, work: Work): Promise<Result> {
  return tryRow(scope, KINDS[work.list], rowId, work, async (_tx, _kept, outcome) => {
    throw new Passed({ outcome, ...DONE })
  })
}

/** Refuses references that are not the workspace's, and leaves nothing. @throws Problem 422. */
export async function checkReferences(scope: Scope, { list, change }: Work): Promise<void> {
  const without = around(scope, async (_tx, work) => {
    await work()
    throw new Passed(UNCHANGED)
  })
  try {
    await KINDS[list].check(without, change as never)
  } catch (error) {
    if (!(error instanceof Passed)) throw error
  }
}

/** Gives a row back what it had, if it still has what the batch gave it. */
export async function undoRow(
  scope: Scope,
  batchId: Id<'batch'>,
  { row_id: rowId, kept }: store.LeftRow,
  list: BatchList,
): Promise<void> {
  const kind = KINDS[list]
  const values = kept === null ? null : openSnapshots(scope, batchId, rowId, kept)
  const record = (tx: TenantTx, undone: boolean) => store.recordUndone(tx, batchId, rowId, undone)
  if (!values) return void (await scope.tx((tx) => record(tx, false)))
  try {
    await kind.giveBack(
      around(scope, async (tx, work) => {
        if (!isSame(await kind.read(tx, rowId), values.after)) throw new Passed(UNCHANGED)
        const result = await work()
        if ((await record(tx, true)) === 0) throw new Passed(UNCHANGED)
        return result
      }),
      rowId,
      values,
    )
  } catch (error) {
    if (!(error instanceof Passed) && !(error instanceof Problem)) throw error
    await scope.tx((tx) => record(tx, false))
  }
}

async function tryRow(
  scope: Scope,
  kind: BatchKind,
  rowId: string,
  { change }: Work,
  record: (tx: TenantTx, kept: Snapshots, outcome: 'changed' | 'unchanged') => Promise<void>,
): Promise<Result> {
  let outcome: 'changed' | 'unchanged' = 'unchanged'
  try {
    await kind.apply(
      around(scope, async (tx, work) => {
        const before = await kind.read(tx, rowId)
        const result = await work()
        const after = await kind.after(tx, rowId, { result, before })
        outcome = isSame(before, after) ? 'unchanged' : 'changed'
        await record(tx, { before, after }, outcome)
        return result
      }),
      rowId,
      change as never,
    )
    return { outcome, ...DONE }
  } catch (error) {
    if (error instanceof Passed) return error.result
    if (!(error instanceof Problem) || error.status >= 500) throw error
    return { outcome: 'failed', status: error.status, code: error.code, detail: error.message }
  }
}

/** A scope whose transaction has something around its work. */
function around(scope: Scope, wrap: <T>(tx: TenantTx, work: () => Promise<T>) => Promise<T>): Scope {
  return { ...scope, tx: (work) => scope.tx((tx) => wrap(tx, () => work(tx))) }
}

function contextOf(batchId: Id<'batch'>, rowId: string): string {
  return `batch_rows:${batchId}:${rowId}`
}

function seal(scope: Scope, batchId: Id<'batch'>, rowId: string, kept: Snapshots): string {
  return scope.secrets.seal(JSON.stringify(kept), contextOf(batchId, rowId))
}

/** The values of a row before and after a batch. */
export function openSnapshots(scope: Scope, batchId: Id<'batch'>, rowId: string, text: string): Snapshots {
  return JSON.parse(scope.secrets.open(text, contextOf(batchId, rowId))) as Snapshots
}
