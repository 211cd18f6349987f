import type { TenantId } from './ids.ts'

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
