import { type AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import pg from 'pg'
import {
  type AtCommit,
  type ClockReading,
  type ClosingStatement,
  type Connection,
  type CounterStore,
  DatabaseReleasedError,
  NestedTransactionError,
  NOTIFY,
  PING_MS,
  type Reach,
} from '../../platform/database/database-adapter.ts'
import type { Log } from '../../platform/config/log.ts'
import { inTime, prepareSession, readClock, unavailable, watched, type Connections } from './connections.ts'
import { whileAwaited } from './caller-gone.ts'
import { createNodeWatch } from './cluster.ts'
import { createGroups, type Work } from './groups.ts'
import { createLane } from './lane.ts'
import { isOfMember, keeping, type Transactions, type Written } from './transaction.ts'
import { createWrites } from './writes.ts'

interface Options {
  settings: pg.ClientConfig
  size: number
  log: Log
  transactions: Transactions
  inTransaction: AsyncLocalStorage<true>
}

const ignore = () => {}

/**
 * The share of the connections that calls of members have. The rest is for respondents, sign-in and background work.
 */
const SHARE_OF_MEMBERS = 0.7
/** A call waits for a place as long as for a connection. */
const MOST_WAIT_MS = 5_000

/** The connections that requests and background work share. Transactions that are ready together share a connection. */
export function createPool({ settings, size, log, transactions, inTransaction }: Options): Connections {
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
  const nodes = createNodeWatch()
  const pool = new pg.Pool({ ...settings, max: size, idleTimeoutMillis: 30_000, onConnect: prepareSession })
  pool.on('error', (error) => log.warn({ reason: error.message }, 'an idle database connection was lost'))
  const counters = pool as unknown as CounterStore
  const most = Math.max(1, Math.floor(size * SHARE_OF_MEMBERS))
  const members = createLane({ all: most, each: Math.ceil(most / 2), mostWaitMs: MOST_WAIT_MS })

  async function pooled<T>(run: (client: pg.PoolClient, discard: () => void) => Promise<T>): Promise<T> {
    const client = await unavailable(pool.connect())
    let lost = false
    const discard = () => void (lost = true)
    return nodes.watch(watched(client, discard, () => run(client, discard)).finally(() => client.release(lost)))
  }

  /** A connection, for calls of members from their lane. */
  async function inLane<T>(reach: Reach, run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (!isOfMember(reach)) return pooled(run)
    const { reads, gone } = reach
    return members.run(reach.tenantId, () =>
      pooled(reads && gone ? (client, discard) => whileAwaited(gone, client, discard, () => run(client)) : run),
    )
  }

  /** Takes a connection at the first statement. Work that runs only at COMMIT is sent together with others. */
  async function transact<T>(reach: Reach, work: Work<T>): Promise<T> {
    const closing: ClosingStatement[] = []
    const outcome = Promise.withResolvers<T>()
    let opened: Promise<Connection> | undefined
    let ended: Promise<T> | undefined
    // A connection outlives the transaction it was made for, so it must not inherit its context. `bind` and `snapshot`
    // would do the same, and leave two kilobytes of hidden classes for the garbage collector each time.
    const outside = new AsyncResource('Transaction')
    const open = () =>
      new Promise<Connection>((resolve, reject) => {
        const join: Work<T> = async (connection) => {
          resolve(connection)
          const result = await outcome.promise
          await keeping(closing)(connection)
          return result
        }
        ended = outside.runInAsyncScope(() => inLane(reach, (client) => transactions.run(client, reach, join)))
        ended.catch(reject)
      })
    const lazy: Connection = {
      query: async (text, values, name) => (await (opened ??= open())).query(text, values, name),
      atCommit: (text, values, name, on) =>
        void closing.push({ text, values, name, on: on as AtCommit<never> | undefined }),
      isCluster: async () => (await (opened ??= open())).isCluster(),
    }
    inTransaction.run(true, async () => work(lazy)).then(outcome.resolve, outcome.reject)
    await outcome.promise.catch(ignore)
    if (ended) return ended
    const result = await outcome.promise
    if (closing.length > 0) await writes.add({ reach, statements: closing })
    return result
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
      // A hanging probe drops its connection. A later cut must not end the process.
      client.on('error', ignore)
      abandon = () => release(true)
      try {
        const reading = await readClock(client)
        client.off('error', ignore)
        release(false)
        return reading
      } catch (error) {
        release(true)
        throw error
      }
    })()
    return inTime(asked, timeoutMs, () => abandon())
  }

  return {
    counters,
    open() {
      let released = false
      return {
        counters,
        async transaction(reach, work) {
          if (released) throw new DatabaseReleasedError()
          if (inTransaction.getStore()) throw new NestedTransactionError()
          if (reach.role !== 'tenant' || !reach.shared) return transact(reach, work)
          // Each work keeps the context of its caller.
          const caller = new AsyncResource('Transaction')
          const inside = (connection: Connection) => inTransaction.run(true, () => work(connection))
          return groups.join(reach.tenantId, {
            locks: reach.shared.locks,
            work: (connection) => caller.runInAsyncScope(inside, null, connection),
            transact: (each, shared = false) => pooled((client) => transactions.run(client, reach, each, { shared })),
          })
        },
        async ping() {
          if (released) throw new DatabaseReleasedError()
          await ping(PING_MS)
          return { degraded: nodes.isDegraded() }
        },
        async release() {
          released = true
        },
      }
    },
    ping,
    usage: () => ({
      total: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount + members.waiting(),
      most: size,
    }),
    async publish(channel, payloads) {
      await pool.query(NOTIFY, [channel, payloads])
    },
    close: () => pool.end(),
  }
}
