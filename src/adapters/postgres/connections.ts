import type { Socket } from 'node:net'
import pg from 'pg'
import {
  DatabaseReleasedError,
  DatabaseUnavailableError,
  NodeAwayError,
  type ClockReading,
  type DatabaseAdapter,
} from '../../platform/database/database-adapter.ts'
import type { Log } from '../../platform/config/log.ts'
import { CHOOSE_PLANS, isNodeAway, notePlans } from './cluster.ts'

const NO_ROLE = 'earshot_app'
const RECONNECT_MS = 1_000
// A silent connection is dropped after this time.
export const SILENT_MS = 30_000
// The server ends a statement before its connection is dropped. Otherwise it would go on for nobody, beside a new one.
const STATEMENT_MS = 25_000
const ignore = () => {}

/** How transactions get connections: from a pool, or one for each request. */
export type Connections = Pick<DatabaseAdapter, 'counters' | 'open' | 'ping' | 'usage' | 'publish' | 'close'>

/**
 * Outside app.enter() a session may read nothing, whatever role the operator chose. Hot data stays in memory, so an
 * index look-up costs no seek; with random_page_cost 4 a claim read all webhooks of a small table. A plan made while
 * its table is empty would scan it for ever, so scans are off.
 */
export async function prepareSession(client: pg.ClientBase): Promise<void> {
  dropWhenSilent(client, SILENT_MS)
  const results = await client.query(
    `set role ${NO_ROLE}; set enable_seqscan = off; set enable_bitmapscan = off; set random_page_cost = 1.1; set statement_timeout = ${STATEMENT_MS}; ${CHOOSE_PLANS}`,
  )
  notePlans(client, results as unknown as pg.QueryResult[])
}

/**
 * Drops the connection of a statement that had no sign of life for so long. pg's own limit assigns a function to each
 * query. V8 puts such a function into the old space, where all that it reaches stays until the next full collection.
 */
export function dropWhenSilent(client: pg.ClientBase, silentMs: number): void {
  const { connection } = client as unknown as { connection: { stream: Socket } }
  connection.stream.setTimeout(silentMs, () => {
    if (!(client as unknown as { readyForQuery: boolean }).readyForQuery) connection.stream.destroy()
  })
}

async function connectClient(settings: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(settings)
  client.on('error', ignore)
  await client.connect()
  await prepareSession(client).catch(async (error: unknown) => {
    await client.end().catch(ignore)
    throw error
  })
  return client
}

export interface OwnConnection {
  inTurn<T>(work: (client: pg.Client, discard: () => void) => Promise<T>): Promise<T>
  /** Drops the connection, whatever it is doing. The next transaction opens another. */
  discard(): void
  ended(): boolean
  end(): Promise<void>
}

// The connection of one request. Its transactions run one after another, because two would share one BEGIN.
export function ownConnection(settings: pg.ClientConfig): OwnConnection {
  let opened: Promise<pg.Client> | null = null
  let turn: Promise<unknown> = Promise.resolve()
  let ended = false
  const discard = () => {
    const lost = opened
    opened = null
    void lost?.then((client) => client.end()).catch(ignore)
  }
  return {
    inTurn(work) {
      const next = turn.then(async () => {
        if (ended) throw new DatabaseReleasedError()
        opened ??= connectClient(settings)
        const client = await unavailable(opened).catch((error: unknown) => {
          opened = null
          throw error
        })
        return work(client, discard)
      })
      turn = next.catch(ignore)
      return next
    },
    discard,
    ended: () => ended,
    async end() {
      ended = true
      await opened?.then((client) => client.end()).catch(ignore)
    },
  }
}

/** Reports messages on a channel, over its own connection, which reconnects by itself. */
export async function listen(
  settings: pg.ClientConfig,
  channel: string,
  receive: (payload: string) => void,
  log: Log,
): Promise<() => Promise<void>> {
  let stopped = false
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined
  let probe: NodeJS.Timeout | undefined
  const connect = async () => {
    const next = new pg.Client({ ...settings, query_timeout: SILENT_MS })
    next.on('notification', (message) => receive(message.payload ?? ''))
    next.on('error', (error) => log.debug({ reason: error.message }, 'the listening connection was lost'))
    next.on('end', () => {
      if (!stopped) timer = setTimeout(() => void connect().catch(ignore), RECONNECT_MS)
    })
    client = next
    await next.connect()
    await next.query(`listen ${channel}`)
    // A half-open connection looks silent, so it is probed.
    clearInterval(probe)
    probe = setInterval(() => void next.query('select 1').catch(() => next.end().catch(ignore)), SILENT_MS)
    probe.unref()
  }
  // A lost wake only delays work until the next sweep, so an unreachable database is not an error here.
  await connect().catch(ignore)
  return async () => {
    stopped = true
    clearTimeout(timer)
    clearInterval(probe)
    await client?.end().catch(ignore)
  }
}

/**
 * @throws DatabaseUnavailableError if the connection is lost on the way, after calling `onLost`. NodeAwayError if only
 * a node is away: the connection stays.
 */
export async function watched<T>(client: pg.ClientBase, onLost: () => void, run: () => Promise<T>): Promise<T> {
  let lost = false
  const onError = () => void (lost = true)
  client.on('error', onError)
  try {
    return await run()
  } catch (error) {
    const cause = error instanceof DatabaseUnavailableError ? error.cause : error
    if (!lost && isNodeAway(cause)) throw new NodeAwayError(cause)
    lost ||= isConnectionLoss(cause)
    if (!lost) throw error
    onLost()
    throw error instanceof DatabaseUnavailableError ? error : new DatabaseUnavailableError(error)
  } finally {
    client.off('error', onError)
  }
}

/** Turns every failure into DatabaseUnavailableError. */
export async function unavailable<T>(attempt: Promise<T>): Promise<T> {
  try {
    return await attempt
  } catch (error) {
    throw new DatabaseUnavailableError(error)
  }
}

// SQLSTATE classes 08 (connection) and 57P (operator intervention), and socket errors.
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return (
    /^(08|57P)/.test(code) ||
    /^E(CONN|PIPE|HOST|NET|TIMEDOUT)/.test(code) ||
    /Query read timeout|Connection terminated|Client has encountered a connection error|not queryable/.test(
      error.message,
    )
  )
}

/** The database's time, and how long the answer took. */
export async function readClock(client: pg.ClientBase): Promise<ClockReading> {
  const started = performance.now()
  const result = await client.query<{ now: Date }>('select clock_timestamp() as now')
  return { now: result.rows[0]?.now ?? new Date(NaN), roundTripMs: performance.now() - started }
}

/** @throws DatabaseUnavailableError if `asked` fails, or takes longer than `timeoutMs` and is abandoned. */
export async function inTime<T>(asked: Promise<T>, timeoutMs: number, abandon: () => void): Promise<T> {
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
