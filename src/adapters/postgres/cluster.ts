import pg from 'pg'
import { NodeAwayError } from '../../platform/database/database-adapter.ts'

const clusters = new WeakSet<pg.ClientBase>()

/** Whether the connection leads to the coordinator of a Citus cluster. Known once its session is prepared. */
export function isCluster(client: pg.ClientBase): boolean {
  return clusters.has(client)
}

/**
 * Plans a prepared statement once, whatever its values. Citus chooses a shard by the tenant's value, so there each call
 * may be planned.
 */
export const CHOOSE_PLANS = `select set_config('plan_cache_mode',
  case when to_regproc('create_distributed_table') is null then 'force_generic_plan' else 'auto' end, false) as plans`

/** @param results those of a script that ends with CHOOSE_PLANS. */
export function notePlans(client: pg.ClientBase, results: pg.QueryResult<{ plans?: string }>[]): void {
  if (results.at(-1)?.rows[0]?.plans === 'auto') clusters.add(client)
}

// The coordinator's own texts, which have no SQLSTATE of a connection.
const AWAY = /marked as essential|remote node|any connections? to the node|server closed the connection unexpectedly/

/**
 * Whether a node of the cluster cannot be reached while the coordinator, and so this connection, is well. The
 * coordinator reports it as an error of the statement. An error of the connection itself is fatal.
 */
export function isNodeAway(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError) || error.severity === 'FATAL' || error.severity === 'PANIC') return false
  return /^(08|57P)/.test(error.code ?? '') || (error.code === 'XX000' && AWAY.test(error.message))
}

// Longer than the time between two looks of a worker, which ask every node.
const REMEMBERED_MS = 15_000

export interface NodeWatch {
  /** Remembers when a node was away. */
  watch<T>(asked: Promise<T>): Promise<T>
  /** Whether a statement met an absent node in the last seconds. */
  isDegraded(): boolean
}

export function createNodeWatch(): NodeWatch {
  let awayAt = -Infinity
  return {
    async watch(asked) {
      try {
        return await asked
      } catch (error) {
        if (error instanceof NodeAwayError) awayAt = performance.now()
        throw error
      }
    },
    isDegraded: () => performance.now() - awayAt < REMEMBERED_MS,
  }
}
