import { AsyncResource, type AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { DatabaseReleasedError, NestedTransactionError, PING_MS, type ClockReading, type Connection, type CounterStore } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import { inTime, prepareSession, readClock, unavailable, watched, type Connections } from './connections.ts'
import { createGroups, type Work } from './groups.ts'
import { keeping, type Transactions, type Written } from './transaction.ts'
import { createWrites } from './writes.ts'

interface Options {
  settings: pg.ClientConfig
  size: number
  log: Log
  transactions: Transactions
  inTransaction: AsyncLocalStorage<true>
}

const ignore = () => {}

/** Connections that requests and background work share; those that are ready together share transactions, too. */
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
  const pool = new pg.Pool({ ...settings, max: size, idleTimeoutMillis: 30_000, onConnect: prepareSession })
  pool.on('error', (error) => log.warn({ reason: error.message }, 'an idle database connection was lost'))
  const counters = pool as unknown as CounterStore

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
          const transact = <R>(each: Work<R>, shared = false) => pooled((client) => transactions.run(client, reach, each, { shared }))
          if (reach.role !== 'tenant' || !reach.group) return transact(work)
          // The work of each keeps the context of whoever asked for it.
          const bound = AsyncResource.bind((connection: Connection) => inTransaction.run(true, () => work(connection)))
          return groups.join(reach.tenantId, { locks: reach.group.locks, work: bound, transact })
        },
        async write(reach, statements) {
          if (released) throw new DatabaseReleasedError()
          if (inTransaction.getStore()) throw new NestedTransactionError()
          return writes.add({ reach, statements })
        },
        async ping() {
          if (released) throw new DatabaseReleasedError()
          await ping(PING_MS)
        },
        async release() {
          released = true
        },
      }
    },
    ping,
    usage: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, most: size }),
    async publish(channel, payload) {
      await pool.query('select pg_notify($1, $2)', [channel, payload])
    },
    close: () => pool.end(),
  }
}
