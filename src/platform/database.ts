import { AsyncLocalStorage } from 'node:async_hooks'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { TenantId } from './ids.ts'

export { sql }
export type { RawBuilder }

/**
 * What a transaction may reach: one tenant's rows, or the tables that belong to no tenant. `reads` refuses every write;
 * with `snapshot` all its statements also see the same moment. With `shared` it may share a transaction with others of
 * its tenant.
 */
export type Reach =
  | { role: 'tenant'; tenantId: TenantId; reads?: 'latest' | 'snapshot'; shared?: Shared }
  | { role: 'system' }

/**
 * Under load, many such transactions of one tenant share a commit. Each succeeds or fails by itself; its work may run more
 * than once and waits for nothing but its own statements.
 */
export interface Shared {
  /** Names what the work locks. Works with the same name run one at a time: inside one transaction no lock keeps them apart. */
  locks: string | undefined
}

export interface QueryResult<Row> {
  rows: Row[]
  affected: number
}

/** One connection inside an open transaction, as an adapter offers it. */
export interface Connection {
  query<Row>(text: string, values: readonly unknown[], name?: string): Promise<QueryResult<Row>>
  /** Runs a statement together with COMMIT; its error rolls the transaction back and is what the transaction throws. */
  atCommit<Row>(text: string, values: readonly unknown[], name: string, on?: AtCommit<Row>): void
}

/** What becomes of a statement that runs with COMMIT. */
export interface AtCommit<Row> {
  /** Gets its rows once they are committed; it must not throw. */
  rows?(rows: Row[]): void
  /** What the transaction throws in the place of an error of this statement. */
  refuse?(error: unknown): unknown
  /**
   * The values of one statement that does what those of the same name in a group do. It runs after those that cannot be
   * combined, and each gets the rows of all.
   */
  combine?(all: Array<readonly unknown[]>): readonly unknown[]
}

/** A statement that runs with COMMIT. */
export interface ClosingStatement {
  text: string
  values: readonly unknown[]
  name: string
  on: AtCommit<never> | undefined
}

/** Combines statements whose first value is the tenant and whose others are arrays of one entry for each row. */
export function joinArrays(all: Array<readonly unknown[]>): readonly unknown[] {
  const [first = []] = all
  return first.map((value, index) =>
    Array.isArray(value) ? all.flatMap((values) => values[index] as unknown[]) : value,
  )
}

/** The database's time, and how long the question alone took: neither connecting nor waiting for a connection. */
export interface ClockReading {
  now: Date
  roundTripMs: number
}

export const PING_MS = 2_000

/** A process-long database (a pool, or the embedded engine) behind the `database` port. */
export interface DatabaseAdapter {
  readonly kind: 'pg' | 'pglite'
  /** Where counters shared by several processes live; null when one process owns everything. */
  readonly counters: CounterStore | null
  /** Each request has a connection of its own, which ends with it: it counts on that one. */
  readonly connectionPerRequest: boolean
  /** A request's own handle: unusable after `release`. */
  open(): DatabaseHandle
  /** Resolves to the database's time; rejects when it does not answer within `timeoutMs`. */
  ping(timeoutMs: number): Promise<ClockReading>
  /** Runs statements as the owner of the schema: migrations and nothing else. */
  asOwner<T>(work: (owner: OwnerConnection) => Promise<T>): Promise<T>
  /** Null where there is no pool. */
  usage(): PoolUsage | null
  publish(channel: string, payload: string): Promise<void>
  /** Delivers what any process published; reconnects by itself. Resolves to a function that stops it. */
  subscribe(channel: string, receive: (payload: string) => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** Connections of a pool, and how many transactions wait for one. */
export interface PoolUsage {
  total: number
  idle: number
  waiting: number
  /** As many as it may open. */
  most: number
}

/** The part of a `pg` pool that rate-limiter-flexible speaks to. */
export interface CounterStore {
  query(...query: unknown[]): unknown
}

export interface OwnerConnection {
  script(text: string): Promise<void>
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

export interface DatabaseHandle {
  /** The adapter's counters, over this request's own connection where it has one. */
  readonly counters: CounterStore | null
  /** Resolves when the database answers within 2 s, rejects otherwise. */
  ping(): Promise<void>
  transaction<T>(reach: Reach, work: (connection: Connection) => Promise<T>): Promise<T>
  release(): Promise<void>
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

export class NestedTransactionError extends Error {
  constructor() {
    super('a transaction was opened inside another: pass the open one down instead')
    this.name = 'NestedTransactionError'
  }
}

/** A caller swallowed a failed statement: PostgreSQL answers COMMIT with a rollback, which must not look like success. */
export class TransactionAbortedError extends Error {
  constructor() {
    super(
      'a statement had failed, so nothing of its transaction was stored: let the error through instead of catching it',
    )
    this.name = 'TransactionAbortedError'
  }
}

export class DatabaseReleasedError extends Error {
  constructor() {
    super('the database handle was used after its request had ended')
    this.name = 'DatabaseReleasedError'
  }
}

export class DatabaseUnavailableError extends Error {
  constructor(cause: unknown) {
    super('the database cannot be reached', { cause })
    this.name = 'DatabaseUnavailableError'
  }
}

/** The handle of a server whose schema is not this version's yet: as good as no database. */
export const UNMIGRATED: DatabaseHandle = {
  counters: { query: () => UNMIGRATED.ping() },
  ping: () => Promise.reject(new DatabaseUnavailableError(new Error('the schema is still being brought up to date'))),
  transaction: () => UNMIGRATED.ping() as Promise<never>,
  release: async () => {},
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
