import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import pg from 'pg'
import {
  DatabaseReleasedError,
  DatabaseUnavailableError,
  NestedTransactionError,
  PING_MS,
  type ClockReading,
  type ClosingStatement,
  type Connection,
  type CounterStore,
  type DatabaseAdapter,
  type DatabaseHandle,
  type Reach,
} from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Secret } from '../../platform/secrets.ts'
import { isConnectionLoss, listen, ownConnection, prepareSession, SILENT_MS, unavailable } from './pg-connections.ts'
import { createGroups, type Work } from './pg-groups.ts'
import { createTransactions, type Written } from './pg-transaction.ts'
import { createWrites } from './pg-writes.ts'

export interface PgOptions {
  url: Secret
  /** Connects as the owner of the schema; the same as `url` unless the operator separates them. */
  migrationUrl: Secret
  poolSize: number
  /** `request` opens a connection for each request, for poolers of serverless platforms. */
  connection: 'pool' | 'request'
  log: Log
  /** Sees every statement inside a transaction; tests use it. */
  onStatement?: ((text: string, reach: Reach) => void) | undefined
}

const ignore = () => {}

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)
types.setTypeParser(pg.types.builtins.NUMERIC, Number)
// Calendar dates stay text: a Date would move them by the host's zone.
types.setTypeParser(pg.types.builtins.DATE, (text) => text)

/** PostgreSQL through `pg`: BEGIN and the scope leave with the first statement, and COMMIT with the last. */
export function createPgDatabase(options: PgOptions): DatabaseAdapter {
  const settings = {
    connectionString: options.url.reveal(),
    types,
    pipeline: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: SILENT_MS,
    keepAlive: true,
    application_name: 'earshot',
  } satisfies pg.ClientConfig & { pipeline: boolean }
  const inTransaction = new AsyncLocalStorage<true>()
  const transactions = createTransactions({ types, inTransaction, onStatement: options.onStatement })
  const groups = createGroups()
  const writes = createWrites({
    async together(all) {
      let written: Written = { committed: 0, failure: null }
      const error = await pooled(async (client) => {
        written = await transactions.write(client, all)
        if (written.failure) throw written.failure.error
      }).catch((failure: unknown) => ({ failure }))
      return { committed: written.committed, failure: error ? { error: error.failure } : null }
    },
    alone: ({ reach, statements }) => pooled((client) => transactions.run(client, reach, keeping(statements))),
  })
  const pool = new pg.Pool({ ...settings, max: options.poolSize, idleTimeoutMillis: 30_000, onConnect: prepareSession })
  pool.on('error', (err) => options.log.warn({ err: { message: err.message } }, 'an idle database connection was lost'))

  /** @throws DatabaseUnavailableError when the connection is lost on the way, after telling `onLost`. */
  async function watched<T>(client: pg.ClientBase, onLost: () => void, run: () => Promise<T>): Promise<T> {
    let lost = false
    const onError = () => void (lost = true)
    client.on('error', onError)
    try {
      return await run()
    } catch (error) {
      lost ||= isConnectionLoss(error instanceof DatabaseUnavailableError ? error.cause : error)
      if (!lost) throw error
      onLost()
      throw error instanceof DatabaseUnavailableError ? error : new DatabaseUnavailableError(error)
    } finally {
      client.off('error', onError)
    }
  }

  async function pooled<T>(run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await unavailable(pool.connect())
    let lost = false
    const discard = () => void (lost = true)
    return watched(client, discard, () => run(client)).finally(() => client.release(lost))
  }

  async function ping(timeoutMs: number): Promise<ClockReading> {
    let abandon = () => {}
    const asked = (async () => {
      const client = await pool.connect()
      let done = false
      const release = (broken: boolean) => {
        if (!done) client.release(broken)
        done = true
      }
      // A probe that hangs gives its connection up, and one that is cut later must not end the process.
      client.on('error', ignore)
      abandon = () => release(true)
      try {
        const started = performance.now()
        const result = await client.query<{ now: Date }>('select clock_timestamp() as now')
        client.off('error', ignore)
        release(false)
        return { now: result.rows[0]?.now ?? new Date(NaN), roundTripMs: performance.now() - started }
      } catch (error) {
        release(true)
        throw error
      }
    })()
    asked.catch(ignore)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        abandon()
        reject(new Error('the database did not answer in time'))
      }, timeoutMs)
    })
    return unavailable(Promise.race([asked, late]).finally(() => clearTimeout(timer)))
  }

  function open(): DatabaseHandle {
    let released = false
    const own = options.connection === 'request' ? ownConnection(settings) : null
    return {
      async transaction(reach, work) {
        if (released) throw new DatabaseReleasedError()
        if (inTransaction.getStore()) throw new NestedTransactionError()
        if (own) return own.inTurn((client, discard) => watched(client, discard, () => transactions.run(client, reach, work)))
        const transact = <R>(each: Work<R>, shared = false) => pooled((client) => transactions.run(client, reach, each, { shared }))
        if (reach.role !== 'tenant' || !reach.group) return transact(work)
        // The work of each keeps the context of whoever asked for it.
        const bound = AsyncResource.bind((connection: Connection) => inTransaction.run(true, () => work(connection)))
        return groups.join(reach.tenantId, { locks: reach.group.locks, work: bound, transact })
      },
      async write(reach, statements) {
        if (released) throw new DatabaseReleasedError()
        if (inTransaction.getStore()) throw new NestedTransactionError()
        if (!own) return writes.add({ reach, statements })
        return own.inTurn((client, discard) => watched(client, discard, () => transactions.run(client, reach, keeping(statements))))
      },
      async ping() {
        if (released) throw new DatabaseReleasedError()
        await ping(PING_MS)
      },
      async release() {
        released = true
        await own?.end()
      },
    }
  }

  return {
    kind: 'pg',
    counters: pool as unknown as CounterStore,
    open,
    ping,
    async asOwner(work) {
      const client = new pg.Client({ ...settings, connectionString: options.migrationUrl.reveal(), pipeline: false, query_timeout: 0 } as pg.ClientConfig)
      client.on('error', ignore)
      await unavailable(client.connect())
      try {
        return await work({
          script: async (text) => void (await client.query(text)),
          query: async <Row>(text: string, values: readonly unknown[] = []) => (await client.query<Row & pg.QueryResultRow>(text, [...values])).rows,
        })
      } catch (error) {
        throw isConnectionLoss(error) ? new DatabaseUnavailableError(error) : error
      } finally {
        await client.end().catch(ignore)
      }
    },
    usage: () => (options.connection === 'pool' ? { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, most: options.poolSize } : null),
    async publish(channel, payload) {
      await pool.query('select pg_notify($1, $2)', [channel, payload])
    },
    subscribe: (channel, receive) => listen(settings, channel, receive, options.log),
    close: () => pool.end(),
  }
}

function keeping(statements: ClosingStatement[]): Work<void> {
  return async ({ atCommit }) => statements.forEach(({ text, values, name, on }) => atCommit(text, values, name, on))
}
