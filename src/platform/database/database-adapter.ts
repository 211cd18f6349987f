import type { TenantId } from '../ids.ts'
import type { Log } from '../config/log.ts'

/**
 * The rows that a transaction may reach: one tenant's, or those of tables without a tenant. `reads` refuses every
 * write. `snapshot` gives all its statements the same view. `shared` lets it share a commit with others of its tenant.
 * `ofMember` says that a member or a key waits for it, and not a respondent or background work. `gone` ends a look-up
 * when its caller has left.
 */
export type Reach =
  | {
      role: 'tenant'
      tenantId: TenantId
      reads?: 'latest' | 'snapshot'
      shared?: Shared
      ofMember?: boolean
      gone?: AbortSignal | undefined
    }
  | { role: 'system' }

/**
 * Under load, many shared transactions of one tenant use one commit. Each succeeds or fails alone. Its work may run
 * more than once, and must wait for nothing but its own statements.
 */
export interface Shared {
  /**
   * The name of the work's lock. Works with the same name run one at a time, because no lock separates them in one
   * transaction.
   */
  locks: string | undefined
}

export interface QueryResult<Row> {
  rows: Row[]
  affected: number
}

/** A connection inside an open transaction, as an adapter provides it. */
export interface Connection {
  query<Row>(text: string, values: readonly unknown[], name?: string): Promise<QueryResult<Row>>
  /** Runs a statement together with COMMIT. If it fails, the transaction rolls back and throws its error. */
  atCommit<Row>(text: string, values: readonly unknown[], name: string, on?: AtCommit<Row>): void
  /** Whether the tables are spread over the nodes of a Citus cluster. */
  isCluster(): Promise<boolean>
}

/** Callbacks of a statement that runs with COMMIT. */
export interface AtCommit<Row> {
  /** Gets the rows after the commit. Must not throw. */
  rows?(rows: Row[]): void
  /** Returns the error to throw in place of the statement's own. */
  refuse?(error: unknown): unknown
  /**
   * Merges the values of statements with the same name into one statement. It runs after those that cannot be merged,
   * and each caller gets all rows.
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

/** The database's time, and how long the question took, without connecting or waiting for a connection. */
export interface ClockReading {
  now: Date
  roundTripMs: number
}

export const PING_MS = 2_000

/** Sends each payload of a list to a channel. */
export const NOTIFY = 'select pg_notify($1, payload) from unnest($2::text[]) payload'

/** A database that lives as long as the process (a pool, or the embedded engine), behind the `database` port. */
export interface DatabaseAdapter {
  readonly kind: 'pg' | 'pglite'
  /** Storage for counters that several processes share. Null if one process owns everything. */
  readonly counters: CounterStore | null
  /** True if each request has its own connection. The connection ends with the request, which also counts on it. */
  readonly connectionPerRequest: boolean
  /** A handle for one request, unusable after `release`. */
  open(): DatabaseHandle
  /** Resolves to the database's time. Rejects without an answer within `timeoutMs`. */
  ping(timeoutMs: number): Promise<ClockReading>
  /** Runs statements as the owner of the schema. Only for migrations. */
  asOwner<T>(work: (owner: OwnerConnection) => Promise<T>): Promise<T>
  /** Null without a pool. */
  usage(): PoolUsage | null
  /** All in one statement. */
  publish(channel: string, payloads: string[]): Promise<void>
  /** Receives what any process publishes, and reconnects by itself. Resolves to a function that stops it. */
  subscribe(channel: string, receive: (payload: string) => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** The connections of a pool, and how many transactions wait for one, or for the share of members. */
export interface PoolUsage {
  total: number
  idle: number
  waiting: number
  /** The most connections it may open. */
  most: number
}

/** The part of a `pg` pool that rate-limiter-flexible uses. */
export interface CounterStore {
  query(...query: unknown[]): unknown
}

export interface OwnerConnection {
  script(text: string): Promise<void>
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

export interface DatabaseHandle {
  /** The adapter's counters, over this request's own connection if it has one. */
  readonly counters: CounterStore | null
  /**
   * Resolves when the database answers within 2 s, and rejects otherwise. Degraded while a node of a cluster is away.
   */
  ping(): Promise<{ degraded: boolean }>
  transaction<T>(reach: Reach, work: (connection: Connection) => Promise<T>): Promise<T>
  /**
   * Writes tables anew and drops the write-ahead log, so that no file holds their deleted rows. Only the embedded
   * engine can: a server has backups and replicas of its own (docs/privacy.md, "Erasure in files").
   */
  rewrite?(tables: string[]): Promise<void>
  release(): Promise<void>
}

/** The caller of a look-up left before it ended. */
export class CallerGoneError extends Error {
  constructor(cause?: unknown) {
    super('the caller has gone', { cause })
    this.name = 'CallerGoneError'
  }
}

/** The transaction took longer than it may, by the code of PostgreSQL for a statement that does (SQLSTATE 57014). */
export class OutOfTimeError extends Error {
  readonly code = '57014'
  constructor() {
    super('a transaction took longer than it may')
    this.name = 'OutOfTimeError'
  }
}

export class NestedTransactionError extends Error {
  constructor() {
    super('a transaction was opened inside another: pass the open one down instead')
    this.name = 'NestedTransactionError'
  }
}

/**
 * A caller swallowed the error of a statement. PostgreSQL then answers COMMIT with a rollback, which must not look like
 * success.
 */
export class TransactionAbortedError extends Error {
  constructor() {
    super('a statement failed, so nothing of its transaction was stored: let the error through instead of catching it')
    this.name = 'TransactionAbortedError'
  }
}

/** A statement came after its work had ended: an `await` is missing. */
export class TransactionOverError extends Error {
  constructor() {
    super('a statement came after its transaction had ended: await it inside the work')
    this.name = 'TransactionOverError'
  }
}

export class DatabaseReleasedError extends Error {
  constructor() {
    super('the database handle was used after its request had ended')
    this.name = 'DatabaseReleasedError'
  }
}

export class DatabaseUnavailableError extends Error {
  constructor(cause: unknown, setting: 'DATABASE_URL' | 'DATABASE_MIGRATION_URL' = 'DATABASE_URL') {
    super(`the database of ${setting} ${isRefusal(cause) ? 'refuses Earshot' : 'cannot be reached'}`, { cause })
    this.name = 'DatabaseUnavailableError'
  }

  /** Says what an operator can mend. */
  get reason(): string | undefined {
    if (!(this.cause instanceof Error)) return undefined
    const { message } = this.cause
    if (message.startsWith('permission denied to set role'))
      return `${message}. Grant earshot_app, earshot_tenant and earshot_system to the user of DATABASE_URL`
    const code = 'code' in this.cause ? String(this.cause.code) : ''
    return UNTRUSTED.has(code)
      ? `its certificate is signed by an unknown authority (${code}). Name the file of that authority as sslrootcert`
      : message
  }
}

// Node's own message advises an option of Node.
const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

// PostgreSQL answers, and gives a code. Classes 08 and 57P mean that it is going, coming or behind a broken connection.
function isRefusal(cause: unknown): boolean {
  if (!(cause instanceof Error) || !('severity' in cause) || !('code' in cause)) return false
  return typeof cause.code === 'string' && !/^(08|57P)/.test(cause.code)
}

/** A node of the cluster cannot be reached. Tenants on other nodes are served. */
export class NodeAwayError extends DatabaseUnavailableError {
  constructor(cause: unknown) {
    super(cause)
    this.message = 'a node of the database cluster cannot be reached'
    this.name = 'NodeAwayError'
  }
}

/** The handle of a server whose schema is not migrated yet. It behaves like a lost database. */
export const UNMIGRATED: DatabaseHandle = {
  counters: { query: () => UNMIGRATED.ping() },
  ping: () => Promise.reject(new DatabaseUnavailableError(new Error('the migrations are still running'))),
  transaction: async () => UNMIGRATED.ping() as Promise<never>,
  release: async () => {},
}

export interface AvailabilityLog {
  up(): void
  down(error: unknown): void
}

/** Logs once when the database is lost and once when it is back, however often it is asked. */
export function createAvailabilityLog(log: Log): AvailabilityLog {
  let lostAt: number | null = null
  return {
    up() {
      if (lostAt === null) return
      log.warn({ awaySeconds: Math.round((performance.now() - lostAt) / 1000) }, 'the database is back')
      lostAt = null
    },
    down(error) {
      if (lostAt !== null) return
      lostAt = performance.now()
      const away = error instanceof DatabaseUnavailableError ? error : new DatabaseUnavailableError(error)
      log.error({ reason: away.reason }, `${away.message}: requests answer 503, and background work waits`)
    },
  }
}
