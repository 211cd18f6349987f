import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, inject } from 'vitest'
import { createPgDatabase, type PgOptions } from '../adapters/postgres/postgres.ts'
import { createPgliteDatabase } from '../adapters/pglite/pglite.ts'
import { createApp, type App, type AppOptions } from '../app.ts'
import { createHttpServer } from '../listener.ts'
import { createTestClock, type TestClock } from '../platform/loop/clock.ts'
import { parseConfig } from '../platform/config/config.ts'
import type { DatabaseAdapter, OwnerConnection, Reach } from '../platform/database/database-adapter.ts'
import { createLog, type Log } from '../platform/config/log.ts'
import { migrate } from '../platform/database/migrate.ts'
import { Secret } from '../platform/config/secrets.ts'
import { createServices, type Services } from '../services.ts'
import { assertRunsOnCluster } from './database/cluster-forms.ts'
import { createOnNodes, databaseAt, dropOnNodes } from './database/databases.ts'
import { watchReads } from './declared-reads.ts'
import { assertNamesTenant } from './database/statements.ts'

export interface TestAnswer {
  status: number
  headers: Headers
  text: string
  // Tests read any answer of the API, and assert its shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

export interface TestServer {
  services: Services
  app: App
  clock: TestClock
  /**
   * Sends one request through the whole application. Text, bytes and forms are sent unchanged, any other body as JSON.
   */
  request(
    method: string,
    path: string,
    options?: { token?: string | undefined; body?: unknown; headers?: Record<string, string> },
  ): Promise<TestAnswer>
  /** Listens on a free port of 127.0.0.1 for tests that need a socket. */
  listen(): Promise<string>
  /** Every statement that ran inside transactions. */
  statements: Array<{ text: string; reach: Reach }>
  /** Queries the tables as superuser, without any policy. */
  peek<Row>(text: string, values?: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

export interface TestServerOptions extends AppOptions {
  engine?: 'pg' | 'pglite'
  env?: Record<string, string>
  now?: Date
  poolSize?: number
  /** The value of DATABASE_CONNECTION. */
  connection?: 'pool' | 'request'
  /** The destination of log lines. Default: none. */
  log?: Log
  /** The test's own migrated database, which outlives the server. */
  databaseUrl?: string
}

/** Starts Earshot on its own database, with a clock that only the test moves. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const clock = createTestClock(options.now ?? new Date('2026-03-02T10:00:00.000Z'))
  const config = parseConfig({
    SECRETS_KEY: 'a-key-for-tests-that-is-long-enough',
    LOG_LEVEL: 'silent',
    DATA_DIR: '/nonexistent',
    ...options.env,
  })
  const log = options.log ?? createLog(config.logLevel)
  const statements: TestServer['statements'] = []
  const onStatement = (text: string, reach: Reach) => {
    statements.push({ text, reach })
    if (reach.role === 'tenant') assertNamesTenant(text)
    assertRunsOnCluster(text, reach.role)
  }
  const opened =
    options.engine === 'pglite'
      ? await openPglite(onStatement)
      : await openPg(
          onStatement,
          { poolSize: options.poolSize ?? 10, connection: options.connection ?? 'pool', log },
          options.databaseUrl,
        )
  const { drop } = opened
  const database = judgeOwner(opened.database)
  const owner = keepOwner(database)
  const services = await createServices(config, { log, clock, database })
  const app = createApp(services, {
    inspectAnswer(route, status, body) {
      const result = route.response.schema?.safeParse(body)
      if (result && !result.success)
        expect.fail(`${route.operationId} answered ${status} outside its schema: ${result.error.message}`)
      const extra = result && memberOutside(result.data, body, 'body')
      if (extra) expect.fail(`${route.operationId} answered ${status} with ${extra}, which its schema does not have`)
    },
    inspectRequest: watchReads,
    ...options,
  })
  let server: Server | null = null
  return {
    services,
    app,
    clock,
    statements,
    async request(method, path, { token, body, headers = {} } = {}) {
      const init: RequestInit = {
        method,
        headers: {
          ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body !== undefined && { body: isWire(body) ? body : JSON.stringify(body) }),
      }
      const response = await app.fetch(new Request(`http://localhost${path}`, init))
      const type = response.headers.get('content-type') ?? ''
      const text = await textOf(response)
      const json = /json/.test(type) && text !== ''
      return { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : null }
    },
    async listen() {
      server ??= await new Promise<Server>((resolve) => {
        const started = createHttpServer(app).listen(0, '127.0.0.1', () => resolve(started))
      })
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    peek: (text, values = []) => owner.query(text, values),
    async close() {
      await owner.close()
      const listening = server
      if (listening) await new Promise((resolve) => listening.close(resolve))
      await services.close()
      await drop()
    },
  }
}

/** The text of an answer. A stream of events has no end, so of one it is the first piece. */
export async function textOf(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return response.text()
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return new TextDecoder().decode(value)
}

/** The path of a member that a schema left out of what it read: a client would get what no document names. */
function memberOutside(read: unknown, body: unknown, path: string): string | undefined {
  if (typeof body !== 'object' || body === null || typeof read !== 'object' || read === null) return undefined
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue
    if (!Object.hasOwn(read, name)) return `${path}.${name}`
    const inside = memberOutside((read as Record<string, unknown>)[name], value, `${path}.${name}`)
    if (inside) return inside
  }
  return undefined
}

function isWire(body: unknown): body is string | FormData | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof FormData || body instanceof Uint8Array
}

/** One connection for all queries of a test. A new one costs PostgreSQL as much as ten queries. */
function keepOwner(database: DatabaseAdapter): {
  query<Row>(text: string, values: unknown[]): Promise<Row[]>
  close(): Promise<void>
} {
  let kept: { owner: Promise<OwnerConnection>; end: () => Promise<void> } | null = null
  const open = () => {
    const left = Promise.withResolvers<void>()
    const opened = Promise.withResolvers<OwnerConnection>()
    const held = database.asOwner((owner) => {
      opened.resolve(owner)
      return left.promise
    })
    held.catch(opened.reject)
    return {
      owner: opened.promise,
      async end() {
        left.resolve()
        await held.catch(() => {})
      },
    }
  }
  const close = async () => {
    const ended = kept
    kept = null
    await ended?.end()
  }
  const query = async <Row>(text: string, values: unknown[]) => {
    kept ??= open()
    try {
      return await (await kept.owner).query<Row>(text, values)
    } catch (error) {
      // It may be lost, or inside a transaction that failed.
      await close()
      throw error
    }
  }
  let last: Promise<unknown> = Promise.resolve()
  return {
    query<Row>(text: string, values: unknown[]) {
      const answer = last.then(() => query<Row>(text, values))
      last = answer.catch(() => {})
      return answer
    },
    close,
  }
}

/** Fixtures run on a cluster too. */
function judgeOwner(database: DatabaseAdapter): DatabaseAdapter {
  return {
    ...database,
    asOwner: (work) =>
      database.asOwner((owner) =>
        work({
          ...owner,
          query(text, values) {
            assertRunsOnCluster(text, 'owner')
            return owner.query(text, values)
          },
        }),
      ),
  }
}

type OnStatement = (text: string, reach: Reach) => void

async function openPglite(onStatement: OnStatement): Promise<{ database: DatabaseAdapter; drop: () => Promise<void> }> {
  const dataDir = await copyMigratedFolder()
  const database = await createPgliteDatabase({ dataDir, onStatement })
  return { database, drop: () => rm(dataDir, { recursive: true }) }
}

/** A fresh folder of the migrated embedded database. The first of a run takes five times as long as a copy. */
export async function copyMigratedFolder(): Promise<string> {
  const migrated = join(inject('folder'), 'migrated')
  if (!existsSync(migrated)) await makeMigratedFolder(migrated)
  const dataDir = await makeFolder()
  await cp(migrated, dataDir, { recursive: true })
  return dataDir
}

async function makeMigratedFolder(path: string): Promise<void> {
  const dataDir = await makeFolder()
  const database = await createPgliteDatabase({ dataDir })
  await migrate(database)
  await database.close()
  // Another worker may have made it in the meantime.
  await rename(dataDir, path).catch(() => rm(dataDir, { recursive: true }))
}

function makeFolder(): Promise<string> {
  return mkdtemp(join(inject('folder'), 'pglite-'))
}

async function openPg(
  onStatement: OnStatement,
  options: Pick<PgOptions, 'poolSize' | 'connection' | 'log'>,
  given: string | undefined,
): Promise<{ database: DatabaseAdapter; drop: () => Promise<void> }> {
  const opened = given === undefined ? await cloneDatabase() : { url: given, drop: async () => {} }
  const url = new Secret(opened.url)
  const database = createPgDatabase({ url, migrationUrl: url, onStatement, ...options })
  return { database, drop: opened.drop }
}

/** A fresh copy of the migrated template database. */
export function cloneDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  return createDatabase(inject('templateDatabase'))
}

/** Creates a database on the server or cluster of this run: empty, or a copy of another. */
export async function createDatabase(template = 'template0'): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `${inject('templateDatabase').replace('template', 'test')}_${randomUUID().slice(0, 8)}`
  const nodes = inject('nodeUrls')
  await createOnNodes(nodes, name, template)
  return { url: databaseAt(inject('postgresUrl'), name), drop: () => dropOnNodes(nodes, name) }
}
