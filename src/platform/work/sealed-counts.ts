import { sql, type RawBuilder, type ReadTx, type TenantTx } from '../database/database.ts'
import type { Scope, SystemScope } from '../scope.ts'
import { dueBy, listDueTenants } from './due-tenants.ts'
import type { SweepOptions } from './sweeps.ts'

/** Transactions in one turn. */
const TURN = 20

/** The end of a step: more to do, transactions to wait for, or nothing until the next pass. */
export type StepOutcome = 'more' | 'waiting' | 'done'

/** A table of how far things are counted, with `next_at` and `barrier`. */
export interface SealedCounts {
  table: string
  /** The column that names a tenant's rows apart. */
  key: string
  /** The time between two passes. */
  pauseMs: number
}

/**
 * Gives each due row a turn of steps, each in its own transaction, until none has more or `limit` steps were made.
 * Returns the number of steps.
 */
export async function countDue<Key>(
  system: SystemScope,
  counts: SealedCounts,
  { limit, signal, renew }: SweepOptions,
  takeStep: (scope: Scope, tx: TenantTx, key: Key) => Promise<StepOutcome>,
): Promise<number> {
  let steps = 0
  while (steps < limit) {
    let round = 0
    for (const tenantId of await listDueTenants(system, dueBy(counts.table, 'next_at', system.clock.now()))) {
      const scope = system.tenant(tenantId, { type: 'system' })
      const keys = await scope.tx((tx) => listDue<Key>(tx, counts, { now: scope.clock.now(), limit }))
      for (const key of keys) {
        if (signal.aborted || !(await renew())) return 0
        round += await takeTurn(scope, counts, key, (tx) => takeStep(scope, tx, key))
      }
    }
    if (round === 0) break
    steps += round
  }
  return steps
}

async function takeTurn(
  scope: Scope,
  counts: SealedCounts,
  key: unknown,
  takeStep: (tx: TenantTx) => Promise<StepOutcome>,
): Promise<number> {
  for (let steps = 0; steps < TURN; steps++) {
    const outcome = await scope.tx(takeStep)
    if (outcome === 'more') continue
    const nextAt = new Date(scope.clock.now().getTime() + counts.pauseMs)
    if (outcome === 'done') await scope.tx((tx) => updateRow(tx, counts, key, sql`next_at = ${nextAt}`))
    return steps
  }
  return TURN
}

/**
 * Whether every transaction has ended that may not have seen the seal of a row. The first call sets the barrier, for
 * which the caller's transaction must have begun after the seal was committed.
 */
export async function passBarrier(
  tx: TenantTx,
  counts: SealedCounts,
  key: unknown,
  barrier: number | null,
): Promise<'set' | 'waiting' | 'clear'> {
  const own = await readNumber(tx, counts, key, sql`pg_current_xact_id()`)
  // After a restore, the barrier may be a number that this cluster has not reached yet.
  if (barrier === null || barrier > own) {
    await updateRow(tx, counts, key, sql`barrier = ${own}`)
    return 'set'
  }
  const lowestRunning = await readNumber(tx, counts, key, sql`pg_snapshot_xmin(pg_current_snapshot())`)
  return lowestRunning < barrier ? 'waiting' : 'clear'
}

async function listDue<Key>(
  tx: ReadTx,
  { table, key }: SealedCounts,
  { now, limit }: { now: Date; limit: number },
): Promise<Key[]> {
  const rows = await tx.many(sql<{ key: Key }>`
    select ${sql.ref(key)} as key from ${sql.table(table)}
    where tenant_id = ${tx.tenantId} and next_at >= '-infinity' and next_at <= ${now} order by next_at limit ${limit}`)
  return rows.map((row) => row.key)
}

/** A transaction number. Reading the row gives that of its shard. */
async function readNumber(
  tx: ReadTx,
  { table, key }: SealedCounts,
  value: unknown,
  number: RawBuilder<unknown>,
): Promise<number> {
  const row = await tx.one(sql<{ number: number }>`
    select ${number}::text::bigint as number from ${sql.table(table)}
    where tenant_id = ${tx.tenantId} and ${sql.ref(key)} = ${value}`)
  return row.number
}

function updateRow(
  tx: TenantTx,
  { table, key }: SealedCounts,
  value: unknown,
  change: RawBuilder<unknown>,
): Promise<number> {
  return tx.run(sql`
    update ${sql.table(table)} set ${change} where tenant_id = ${tx.tenantId} and ${sql.ref(key)} = ${value}`)
}
