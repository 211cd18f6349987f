import { createServer } from 'node:http'
import { serve, type ServerType } from '@hono/node-server'
import { createApp } from './app.ts'
import { createDatabaseClock, type DatabaseClock } from './platform/clock.ts'
import { ConfigError, parseConfig, type Config } from './platform/config.ts'
import { DatabaseUnavailableError, PING_MS } from './platform/database.ts'
import { createLog, type Log } from './platform/log.ts'
import { migrate } from './platform/migrate.ts'
import { createServices, type Services } from './services.ts'
import { startWorker, type Worker } from './worker.ts'

const RETRY_MS = 2_000
const CLOCK_MS = 30_000
const SHUTDOWN_MS = 25_000
const UNWRITABLE = new Set(['EACCES', 'EROFS', 'EPERM', 'ENOTDIR', 'EEXIST', 'ENOSPC'])

/**
 * Starts Earshot from an environment and keeps it running until SIGTERM or SIGINT.
 * @returns 0 once it runs; 1 after one clear line on stderr when it cannot.
 */
export async function startServer(environment: Record<string, string | undefined>): Promise<number> {
  try {
    const config = parseConfig(environment)
    const log = createLog(config.logLevel)
    const clock = createDatabaseClock()
    const services = await createServices(config, { log, clock, schemaIsCurrent: false })
    const server = config.role === 'worker' ? null : await listen(config, services)
    announce(config, server)
    const background = startBackground(config, services, clock, () => welcome(config, server))
    stopOnSignal(services, server, background, log)
    return 0
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    return 1
  }
}

function listen(config: Config, services: Services): Promise<ServerType> {
  const app = createApp(services)
  return new Promise((resolve, reject) => {
    const server = serve(
      {
        fetch: app.fetch,
        port: config.port,
        hostname: config.host,
        createServer,
        // Node's defaults let a slow client hold a socket for minutes.
        serverOptions: { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000 },
      },
      () => resolve(server),
    )
    server.once('error', reject)
  })
}

interface Background {
  stop(): Promise<void>
}

/** Migrates, follows the database's clock, and works; a database that is away is waited for. */
function startBackground(config: Config, services: Services, clock: DatabaseClock, onReady: () => void): Background {
  const { database, log } = services
  const stopping = new AbortController()
  let worker: Worker | null = null
  let follow: NodeJS.Timeout | undefined

  const readClock = async () => {
    const { now, roundTripMs } = await database.ping(PING_MS)
    clock.observe(now, roundTripMs)
  }
  const begin = async () => {
    while (!stopping.signal.aborted) {
      try {
        const ran = await migrate(database)
        if (ran.length > 0) log.info({ migrations: ran }, 'the database schema was brought up to date')
        await readClock()
        services.schema.current = true
        onReady()
        break
      } catch (error) {
        if (!(error instanceof DatabaseUnavailableError)) throw error
        log.warn({ reason: error.cause instanceof Error ? error.cause.message : undefined }, 'the database cannot be reached; trying again')
        await new Promise((resume) => setTimeout(resume, RETRY_MS))
      }
    }
    follow = setInterval(() => void readClock().catch(() => {}), CLOCK_MS)
    if (config.role !== 'api' && !stopping.signal.aborted) worker = await startWorker(services)
  }
  const begun = begin().catch((error: unknown) => {
    process.stderr.write(`${explain(error)}\n`)
    process.exit(1)
  })
  return {
    async stop() {
      stopping.abort()
      await begun
      clearInterval(follow)
      await worker?.stop()
    },
  }
}

function stopOnSignal(services: Services, server: ServerType | null, background: Background, log: Log): void {
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    log.info('stopping: no new requests, what is in flight ends first')
    setTimeout(() => process.exit(1), SHUTDOWN_MS).unref()
    if (server) await new Promise((resolve) => server.close(resolve))
    await background.stop()
    await services.close()
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
}

function announce(config: Config, server: ServerType | null): void {
  const line = server
    ? `Earshot is listening at http://localhost:${portOf(config, server)}, and prepares ${databaseOf(config)}.`
    : `An Earshot worker is running on ${databaseOf(config)}.`
  process.stdout.write(`${line}\n`)
}

function welcome(config: Config, server: ServerType | null): void {
  if (!server) return
  const base = config.publicBaseUrl ?? `http://localhost:${portOf(config, server)}`
  const lines = [
    `Earshot is ready at ${base}.`,
    `  API reference   ${base}/docs`,
    `  First workspace curl -X POST ${base}/public/workspaces -H 'content-type: application/json' -d '{"workspace_name":"Acme","name":"Ada","email":"ada@example.com","password":"a long password"}'`,
    '  Guided tour     npm run demo',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function portOf(config: Config, server: ServerType): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : config.port
}

function databaseOf(config: Config): string {
  return config.database.kind === 'pglite' ? `the embedded database in ${config.dataDir}` : 'PostgreSQL'
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  if (!(error instanceof Error)) return `Earshot cannot start: ${String(error)}`
  const code = 'code' in error ? error.code : undefined
  const { port, path } = error as { port?: number; path?: string }
  if (code === 'EADDRINUSE') return `Earshot cannot start: port ${port} is in use. Stop the program that holds it, or set PORT to another.`
  if (code === 'EACCES' && port !== undefined) return `Earshot cannot start: port ${port} needs more rights. Set PORT to one above 1023.`
  if (typeof code === 'string' && UNWRITABLE.has(code))
    return `Earshot cannot start: ${path ?? 'the data directory'} cannot be written. Give this user write access, or set DATA_DIR to another directory.`
  return `Earshot cannot start: ${error.message}`
}
