import { AsyncLocalStorage } from 'node:async_hooks'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import {
  DatabaseUnavailableError,
  type AtCommit,
  type Connection,
  type DatabaseHandle,
  type Shared,
} from './database-adapter.ts'
import type { TenantId } from './ids.ts'

export { sql }
export type { RawBuilder }

/** Combines statements whose first value is the tenant and whose others are arrays of one entry for each row. */
export function joinArrays(all: Array<readonly unknown[]>): readonly unknown[] {
  const [first = []] = all
  return first.map((value, index) =>
    Array.isArray(value) ? all.flatMap((values) => values[index] as unknown[]) : value,
  )
}

interface Reading {
  many<Row>(query: RawBuilder<Row>): Promise<Row[]>
  /** The first row; throws when there is none. */
  one<Row>(query: RawBuilder<Row>): Promise<Row>
  maybe<Row>(query: RawBuilder<Row>): Promise<Row | undefined>
  /** Runs a prepared statement now. */
  prepared<Row>(statement: Statement<Row>): Promise<Row[]>
  /** Runs once this transaction has committed; never when it rolls back. */
  afterCommit(effect: () => void): void
}

interface Queries extends Reading {
  /** Runs a statement and counts the rows it touched. */
  run(query: RawBuilder<unknown>): Promise<number>
  /**
   * Runs a prepared statement in one write with COMMIT, after all others and in the order of the calls: it costs no round
   * trip, and what it locks waits for none. The transaction throws its error.
   */
  atCommit<Row>(statement: Statement<Row>, on?: Pick<AtCommit<Row>, 'rows' | 'refuse'>): void
  /** Runs when it is rolled back, or when nobody knows whether it was committed. */
  afterRollback(effect: () => void): void
}

/** Reads the rows of one tenant. Every statement names `tenantId` besides the row level policy. */
export interface ReadTx extends Reading {
  readonly reach: 'tenant'
  readonly tenantId: TenantId
}

/** Reads and writes the rows of one tenant. */
export interface TenantTx extends ReadTx, Queries {}

/** Reaches the tables without a tenant, and the few cross-tenant columns granted to background work. */
export interface SystemTx extends Queries {
  readonly reach: 'system'
}

/** A transaction on one tenant's rows. */
export async function tenantTransaction<T>(
  handle: DatabaseHandle,
  tenantId: TenantId,
  work: (tx: TenantTx) => Promise<T>,
  shared?: Shared,
): Promise<T> {
  return withEffects((effects) =>
    handle.transaction({ role: 'tenant', tenantId, ...(shared && { shared }) }, (connection) => {
      // A shared work may run again: nothing of its first run took effect.
      if (shared) effects.rollBack()
      return work({ reach: 'tenant', tenantId, ...queries(connection, effects) })
    }),
  )
}

/** A transaction that refuses every write (SQLSTATE 25006). */
export async function tenantReading<T>(
  handle: DatabaseHandle,
  tenantId: TenantId,
  reads: 'latest' | 'snapshot',
  work: (tx: ReadTx) => Promise<T>,
): Promise<T> {
  return withEffects((effects) =>
    handle.transaction({ role: 'tenant', tenantId, reads }, (connection) =>
      work({ reach: 'tenant', tenantId, ...queries(connection, effects) }),
    ),
  )
}

export async function systemTransaction<T>(handle: DatabaseHandle, work: (tx: SystemTx) => Promise<T>): Promise<T> {
  return withEffects((effects) =>
    handle.transaction({ role: 'system' }, (connection) => work({ reach: 'system', ...queries(connection, effects) })),
  )
}

/**
 * A hand-written statement, which a connection prepares once under `name`. A store hands it out, and the caller says
 * whether it runs now or with COMMIT.
 */
export interface Statement<Row = unknown> extends Pick<AtCommit<Row>, 'combine'> {
  name: string
  text: string
  values: readonly unknown[]
}

/**
 * A subquery that finds one id, for a statement on another feature's table: so both are answered in one round trip, and
 * each store names its own tables only. `$1` is the tenant; its own values follow.
 */
export interface IdQuery {
  text: string
  values: readonly unknown[]
}

/** A value as one `jsonb` parameter. */
export function json(value: unknown): RawBuilder<unknown> {
  return sql`${JSON.stringify(value)}::jsonb`
}

/** Whether an error is a unique violation (SQLSTATE 23505). Names of constraints differ between shards, so none is asked for. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}

/**
 * Whether an error may pass when the same is tried again: no database, a serialization failure or deadlock (SQLSTATE class
 * 40), too little of something (53), a lock that was not to be had (55P03), a statement that took too long (57014).
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return true
  return error instanceof Error && 'code' in error && /^(?:(?:40|53)[0-9A-Z]{3}|55P03|57014)$/.test(String(error.code))
}

/** Whether a statement gave up waiting for a lock (SQLSTATE 55P03). */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}

class Effects {
  readonly #onCommit: Array<() => void> = []
  readonly #onRollback: Array<() => void> = []
  // Of whoever asked for the transaction: what an effect begins is not a part of it.
  readonly #outside = AsyncLocalStorage.snapshot()

  afterCommit(effect: () => void): void {
    this.#onCommit.push(effect)
  }

  afterRollback(effect: () => void): void {
    this.#onRollback.push(effect)
  }

  commit(): void {
    for (const effect of this.#onCommit) effect()
  }

  /** Also for work that is about to run again. */
  rollBack(): void {
    this.#onCommit.length = 0
    for (const effect of this.#onRollback.splice(0)) this.#outside(effect)
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

// Compiles the `sql` template to text and parameters; it never runs anything itself.
const compiler = new Kysely<never>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

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
