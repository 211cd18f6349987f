import pg from 'pg'
import {
  DatabaseReleasedError,
  DatabaseUnavailableError,
  type ClockReading,
  type DatabaseAdapter,
} from '../../platform/database-adapter.ts'
import type { Log } from '../../platform/log.ts'

const NO_ROLE = 'earshot_app'
const RECONNECT_MS = 1_000
// A connection that fell silent is given up after this long; no statement of ours takes as long.
export const SILENT_MS = 30_000
const ignore = () => {}

/** How transactions get their connections: from a pool, or each request for itself. */
export type Connections = Pick<DatabaseAdapter, 'counters' | 'open' | 'ping' | 'usage' | 'publish' | 'close'>

/**
 * Outside app.enter() a session may read nothing, whichever role the operator gave us. What is busy stays in memory, so
 * a look-up by an index costs no seek: with PostgreSQL's default of 4, made for discs, a claim read all webhooks of a small table.
 * A prepared statement that is planned while its table is empty would read it whole for ever: the table then costs nothing.
 */
export async function prepareSession(client: pg.ClientBase): Promise<void> {
  await client.query(
    `set role ${NO_ROLE}; set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_bitmapscan = off; set random_page_cost = 1.1`,
  )
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
  /** Gives the connection up, whatever it is busy with; the next turn opens another. */
  discard(): void
  ended(): boolean
  end(): Promise<void>
}

// One request's connection: its transactions take turns, because two at once would share one BEGIN.
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

/** Tells what is published on a channel, over a connection of its own that comes back by itself. */
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
    const next = new pg.Client(settings)
    next.on('notification', (message) => receive(message.payload ?? ''))
    next.on('error', (error) => log.debug({ reason: error.message }, 'the listening connection was lost'))
    next.on('end', () => {
      if (!stopped) timer = setTimeout(() => void connect().catch(ignore), RECONNECT_MS)
    })
    client = next
    await next.connect()
    await next.query(`listen ${channel}`)
    // A half-open connection hears nothing and says nothing: only asking finds out.
    clearInterval(probe)
    probe = setInterval(() => void next.query('select 1').catch(() => next.end().catch(ignore)), SILENT_MS)
    probe.unref()
  }
  // Losing a wake only delays work until the next sweep, so an unreachable database is not an error here.
  await connect().catch(ignore)
  return async () => {
    stopped = true
    clearTimeout(timer)
    clearInterval(probe)
    await client?.end().catch(ignore)
  }
}

/** @throws DatabaseUnavailableError when the connection is lost on the way, after telling `onLost`. */
export async function watched<T>(client: pg.ClientBase, onLost: () => void, run: () => Promise<T>): Promise<T> {
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

/** Fails with DatabaseUnavailableError, whatever the reason. */
export async function unavailable<T>(attempt: Promise<T>): Promise<T> {
  try {
    return await attempt
  } catch (error) {
    throw new DatabaseUnavailableError(error)
  }
}

// SQLSTATE classes 08 (connection) and 57P (operator intervention), and what sockets say.
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

/** @throws DatabaseUnavailableError when `asked` fails, or takes longer than `timeoutMs`; then it is abandoned. */
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
