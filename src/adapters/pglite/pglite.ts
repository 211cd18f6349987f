import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { PGlite, types } from '@electric-sql/pglite'
import {
  NOTIFY,
  type AtCommit,
  type ClockReading,
  type DatabaseAdapter,
  type DatabaseHandle,
  DatabaseReleasedError,
  NestedTransactionError,
  type Reach,
  TransactionAbortedError,
} from '../../platform/database/database-adapter.ts'
import { lockDirectory } from './directory-lock.ts'

export interface PgliteOptions {
  /** The directory of the files. Null keeps them in memory. */
  dataDir: string | null
  onStatement?: ((text: string, reach: Reach) => void) | undefined
}

const READ_ONLY = {
  latest: 'set transaction read only',
  snapshot: 'set transaction isolation level repeatable read, read only',
}
// PGlite answers in microtasks. Without a turn of the event loop, timers and sockets would starve.
const TURN_MS = 8
const VACUUM_MS = 10 * 60_000
// By default the engine would keep 160 MB for pages in this process for good.
// A recycled file of the log would keep what it held.
const SETTINGS = ['shared_buffers=32MB', 'wal_buffers=1MB', 'temp_buffers=1MB', 'wal_recycle=off']
// V8's second compiler took 700 MB for a while at each start, and made statements at most a quarter cheaper.
const ONE_COMPILER = ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering']

/** The embedded engine: one connection, one process per directory. It survives SIGKILL, not power loss. */
export async function createPgliteDatabase(options: PgliteOptions): Promise<DatabaseAdapter> {
  const unlock = options.dataDir === null ? async () => {} : await takeDirectory(options.dataDir)
  for (const flag of ONE_COMPILER) setFlagsFromString(flag)
  const engine = await PGlite.create({
    ...(options.dataDir === null ? {} : { dataDir: join(options.dataDir, 'pglite') }),
    startParams: [...PGlite.defaultStartParams, ...SETTINGS.flatMap((setting) => ['-c', setting])],
    parsers: {
      [types.INT8]: Number,
      [types.NUMERIC]: Number,
      [types.DATE]: (text: string) => text,
    },
  })
  const inTransaction = new AsyncLocalStorage<true>()
  let lastTurn = performance.now()
  const breathe = async () => {
    if (performance.now() - lastTurn < TURN_MS) return
    await new Promise((resume) => setImmediate(resume))
    lastTurn = performance.now()
  }
  const vacuum = setInterval(() => void engine.exec('vacuum (analyze)').catch(() => {}), VACUUM_MS)
  vacuum.unref()

  async function ping(): Promise<ClockReading> {
    const started = performance.now()
    const result = await engine.query<{ now: Date }>('select clock_timestamp() as now')
    return { now: result.rows[0]?.now ?? new Date(NaN), roundTripMs: performance.now() - started }
  }

  function open(): DatabaseHandle {
    let released = false
    return {
      counters: null,
      async transaction(reach, work) {
        if (released) throw new DatabaseReleasedError()
        if (inTransaction.getStore()) throw new NestedTransactionError()
        const told: Array<() => void> = []
        // All that wait for the engine would follow each other without a turn of the loop.
        const committed = await engine.transaction(async (tx) => {
          await breathe()
          if (reach.role === 'tenant' && reach.reads) await tx.query(READ_ONLY[reach.reads])
          await tx.query('select app.enter($1, $2)', [
            `earshot_${reach.role}`,
            reach.role === 'tenant' ? reach.tenantId : null,
          ])
          let failed = false
          const closing: Array<() => Promise<unknown>> = []
          const result = await inTransaction.run(true, () =>
            work({
              async query<Row>(text: string, values: readonly unknown[]) {
                options.onStatement?.(text, reach)
                await breathe()
                const answer = await tx.query<Row>(text, [...values]).catch((error: unknown) => {
                  failed = true
                  throw error
                })
                return { rows: answer.rows, affected: answer.affectedRows || answer.rows.length }
              },
              atCommit<Row>(text: string, values: readonly unknown[], _name: string, on?: AtCommit<Row>) {
                closing.push(async () => {
                  options.onStatement?.(text, reach)
                  try {
                    const { rows } = await tx.query<Row>(text, [...values])
                    told.push(() => on?.rows?.(rows))
                  } catch (error) {
                    throw on?.refuse?.(error) ?? error
                  }
                })
              },
              isCluster: async () => false,
            }),
          )
          for (const close of closing) await close()
          if (failed) throw new TransactionAbortedError()
          return result
        })
        for (const tell of told) tell()
        return committed
      },
      async ping() {
        if (released) throw new DatabaseReleasedError()
        await ping()
        return { degraded: false }
      },
      async rewrite(tables) {
        for (const table of tables) {
          await engine.exec(`vacuum full ${table}`)
          await breathe()
        }
        // The first checkpoint still keeps the log since the one before it.
        for (let n = 0; n < 2; n++) await engine.exec('select pg_switch_wal(); checkpoint')
      },
      async release() {
        released = true
      },
    }
  }

  return {
    kind: 'pglite',
    counters: null,
    connectionPerRequest: false,
    open,
    ping,
    asOwner: (work) =>
      work({
        script: async (text) => void (await engine.exec(text)),
        query: async <Row>(text: string, values: readonly unknown[] = []) =>
          (await engine.query<Row>(text, [...values])).rows,
      }),
    usage: () => null,
    async publish(channel, payloads) {
      await engine.query(NOTIFY, [channel, payloads])
    },
    subscribe: (channel, receive) => engine.listen(channel, receive),
    async close() {
      clearInterval(vacuum)
      await engine.close()
      await unlock()
    },
  }
}

async function takeDirectory(dataDir: string): Promise<() => Promise<void>> {
  // The engine's own files are readable to all, so the directory keeps other users of the machine out.
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  return lockDirectory(dataDir)
}
