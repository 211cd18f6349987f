import { AsyncResource } from 'node:async_hooks'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import {
  DatabaseUnavailableError,
  TransactionOverError,
  type AtCommit,
  type Connection,
  type DatabaseHandle,
  type Shared,
} from './database-adapter.ts'
import type { TenantId } from '../ids.ts'

export { sql }
export type { RawBuilder }

/** Merges statements whose first value is the tenant and whose other values are arrays with one entry a row. */
export function joinArrays(all: Array<readonly unknown[]>): readonly unknown[] {
  const [first = []] = all
  return first.map((value, index) =>
    Array.isArray(value) ? all.flatMap((values) => values[index] as unknown[]) : value,
  )
}

interface Reading {
  many<Row>(query: RawBuilder<Row>): Promise<Row[]>
  /** The first row. Throws if there is none. */
  one<Row>(query: RawBuilder<Row>): Promise<Row>
  maybe<Row>(query: RawBuilder<Row>): Promise<Row | undefined>
  /** Runs a prepared statement now. */
  prepared<Row>(statement: Statement<Row>): Promise<Row[]>
  /**
   * Runs a prepared statement together with COMMIT, after all others and in call order. It needs no round trip of its
   * own, and its locks end at once. The transaction throws its error.
   */
  atCommit<Row>(statement: Statement<Row>, on?: Pick<AtCommit<Row>, 'rows' | 'refuse'>): void
  /** Runs after this transaction has committed. Never runs if it rolls back. */
  afterCommit(effect: () => void): void
}

interface Queries extends Reading {
  /** Runs a statement and returns the number of rows it changed. */
  run(query: RawBuilder<unknown>): Promise<number>
  /** Runs if the transaction rolled back, or if nobody knows whether it was committed. */
  afterRollback(effect: () => void): void
}

/** Reads the rows of one tenant. Every statement names `tenantId`, on top of the row level policy. */
export interface ReadTx extends Reading {
  readonly reach: 'tenant'
  readonly tenantId: TenantId
}

/** Reads and writes the rows of one tenant. */
export interface TenantTx extends ReadTx, Queries {}

/** Reads and writes tables without a tenant, and the few columns that background work may use across tenants. */
export interface SystemTx extends Queries {
  readonly reach: 'system'
  /** Whether tables with a tenant are spread over the nodes of a Citus cluster. */
  isCluster(): Promise<boolean>
}

/** Runs a transaction on one tenant's rows. */
export async function tenantTransaction<T>(
  handle: DatabaseHandle,
  tenantId: TenantId,
  work: (tx: TenantTx) => Promise<T>,
  shared?: Shared,
  ofMember = false,
): Promise<T> {
  return withEffects((effects) =>
    handle.transaction({ role: 'tenant', tenantId, ofMember, ...(shared && { shared }) }, async (connection) => {
      // Shared work may run again. Its first run took no effect.
      if (shared) effects.rollBack()
      return during(connection, (open) => work({ reach: 'tenant', tenantId, ...queries(open, effects) }))
    }),
  )
}

/** Runs a transaction that refuses every write (SQLSTATE 25006). */
export async function tenantReading<T>(
  handle: DatabaseHandle,
  tenantId: TenantId,
  reads: 'latest' | 'snapshot',
  work: (tx: ReadTx) => Promise<T>,
  ofMember = false,
  gone?: AbortSignal,
): Promise<T> {
  return withEffects((effects) =>
    handle.transaction({ role: 'tenant', tenantId, reads, ofMember, gone }, (connection) =>
      during(connection, (open) => work({ reach: 'tenant', tenantId, ...queries(open, effects) })),
    ),
  )
}

export async function systemTransaction<T>(handle: DatabaseHandle, work: (tx: SystemTx) => Promise<T>): Promise<T> {
  return withEffects((effects) =>
    handle.transaction({ role: 'system' }, (connection) =>
      during(connection, (open) => work({ reach: 'system', ...queries(open, effects), isCluster: open.isCluster })),
    ),
  )
}

/**
 * A hand-written statement that a connection prepares once, under `name`. A store returns it, and the caller decides
 * whether it runs now or with COMMIT.
 */
export interface Statement<Row = unknown> extends Pick<AtCommit<Row>, 'combine'> {
  name: string
  text: string
  values: readonly unknown[]
}

/**
 * A subquery that finds one value, such as an id, for use in a statement on another feature's table. It saves a round
 * trip, and each store still names only its own tables. `$1` is the tenant; its own values follow.
 */
export interface ValueQuery {
  text: string
  values: readonly unknown[]
}

/** A value as one `jsonb` parameter. */
export function json(value: unknown): RawBuilder<unknown> {
  return sql`${JSON.stringify(value)}::jsonb`
}

/**
 * Whether an error is a unique violation (SQLSTATE 23505). Shards name constraints differently, so the name is not
 * checked.
 */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}

/**
 * Whether a retry may succeed: no database, a serialization failure or deadlock (SQLSTATE class 40), a lack of
 * resources (53), a lock timeout (55P03), or a statement timeout (57014).
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return true
  return error instanceof Error && 'code' in error && /^(?:(?:40|53)[0-9A-Z]{3}|55P03|57014)$/.test(String(error.code))
}

/** Whether a statement took longer than it may (SQLSTATE 57014). */
export function isOutOfTime(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014'
}

/** Whether a statement stopped waiting for a lock (SQLSTATE 55P03). */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}

class Effects {
  readonly #onCommit: Array<() => void> = []
  readonly #onRollback: Array<() => void> = []
  // The context of the caller. An effect runs outside the transaction.
  readonly #outside = new AsyncResource('Transaction')

  afterCommit(effect: () => void): void {
    this.#onCommit.push(effect)
  }

  afterRollback(effect: () => void): void {
    this.#onRollback.push(effect)
  }

  commit(): void {
    for (const effect of this.#onCommit) effect()
  }

  /** Also called before work runs again. */
  rollBack(): void {
    this.#onCommit.length = 0
    for (const effect of this.#onRollback.splice(0)) this.#outside.runInAsyncScope(effect)
  }
}

async function withEffects<T>(transact: (effects: Effects) => Promise<T>): Promise<T> {
  const effects = new Effects()
  const result = await transact(effects).catch((error: unknown) => {
    effects.rollBack()
    throw error
  })
  effects.commit()
  return result
}

// Compiles the `sql` template to text and parameters. It runs nothing itself.
const compiler = new Kysely<never>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Refuses statements once the work has ended: they would reach another transaction, or run this one again. */
async function during<T>(connection: Connection, work: (open: Connection) => Promise<T>): Promise<T> {
  let isOver = false
  const open: Connection = {
    query: (text, values, name) =>
      isOver ? Promise.reject(new TransactionOverError()) : connection.query(text, values, name),
    atCommit(text, values, name, on) {
      if (isOver) throw new TransactionOverError()
      connection.atCommit(text, values, name, on)
    },
    isCluster: () => connection.isCluster(),
  }
  try {
    return await work(open)
  } finally {
    isOver = true
  }
}

function queries(connection: Connection, effects: Effects): Queries {
  const execute = <Row>(query: RawBuilder<Row>) => {
    const compiled = query.compile(compiler)
    return connection.query<Row>(compiled.sql, compiled.parameters)
  }
  return {
    many: async (query) => (await execute(query)).rows,
    maybe: async (query) => (await execute(query)).rows[0],
    async one(query) {
      const row = (await execute(query)).rows[0]
      if (row === undefined) throw new Error('a statement that always returns a row returned none')
      return row
    },
    run: async (query) => (await execute(query)).affected,
    prepared: async <Row>({ name, text, values }: Statement<Row>) =>
      (await connection.query<Row>(text, values, name)).rows,
    atCommit: ({ name, text, values, combine }, on) =>
      connection.atCommit(text, values, name, combine ? { ...on, combine } : on),
    afterCommit: (effect) => effects.afterCommit(effect),
    afterRollback: (effect) => effects.afterRollback(effect),
  }
}

/** When background work that met a lock goes on. */
export const LOCKED_MS = 5_000
/** Longer than a few large imports of the workspace, which take turns for its lock. */
const LOCK_WAIT_MS = 8_000

/**
 * For background work, which other workspaces wait for: no statement of this transaction waits longer for a lock that a
 * request of the workspace holds. It throws a lock timeout then.
 */
export async function limitLockWait(tx: TenantTx, ms = LOCK_WAIT_MS): Promise<void> {
  await tx.one(sql`select set_config('lock_timeout', ${String(ms)}, true)`)
}
