import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp } from './app.ts'
import { createHttpServer, PATIENCE } from './listener.ts'
import { createDatabaseClock, type DatabaseClock } from './platform/loop/clock.ts'
import { parseConfig, type Config } from './platform/config/config.ts'
import { DatabaseUnavailableError, PING_MS, createAvailabilityLog } from './platform/database/database-adapter.ts'
import { createLog, type Log, linesForPeople } from './platform/config/log.ts'
import { migrate } from './platform/database/migrate.ts'
import { announce, complain, ListenError, welcome } from './platform/config/start-words.ts'
import { webAssets } from './platform/look/web-assets.ts'
import { createServices, type Services } from './services.ts'
import { hasWorkspaces } from './features/access/workspaces/workspaces.service.ts'
import { startWorker, type Worker } from './worker.ts'

const RETRY_MS = 2_000
const CLOCK_MS = 30_000
// The time for a load balancer to see that readiness is 503, and to send requests elsewhere.
const DRAIN_MS = 3_000
const SHUTDOWN_MS = 25_000
const PARENT_MS = 250

/**
 * Starts Earshot from an environment and runs it until SIGTERM or SIGINT.
 * @param parent the process that started this one.
 * @returns 0 once it runs; 1 if it cannot, after one clear line on stderr.
 */
export async function startServer(environment: Record<string, string | undefined>, parent: number): Promise<number> {
  try {
    const config = parseConfig(environment)
    const log = config.production
      ? logEverything(createLog(config.logLevel))
      : createLog(config.logLevel, linesForPeople(process.stdout, { colours: hasColours(process.stdout) }))
    if (environment['REDIS_URL']) log.info('REDIS_URL is not used: the database counts the rate limits')
    const clock = createDatabaseClock()
    const services = await createServices(config, { log, clock, schemaIsCurrent: false })
    const stopping = new AbortController()
    const server = await listen(config, services, stopping.signal)
    announce(config, portOf(server), log)
    if (server && config.role !== 'worker' && !webAssets(services.caches).program('respondent'))
      log.warn('the pages are not built, so surveys run without JavaScript: run npm run build')
    const background = startBackground(config, services, clock, async () =>
      welcome(config, portOf(server), log, await services.run(hasWorkspaces).catch(() => true)),
    )
    const stop = stopOnSignal({ services, server, background, stopping })
    if (environment['npm_lifecycle_event'] === 'start') stopWithoutParent(parent, stop)
    return 0
  } catch (error) {
    complain(error, environment)
    return 1
  }
}

/** A worker listens only if a port is set, for probes and metrics. */
async function listen(config: Config, services: Services, stopping: AbortSignal): Promise<Server | null> {
  const worker = config.role === 'worker'
  const port = worker ? config.workerPort : config.port
  if (port === null) return null
  const app = createApp(services, { stopping, probesOnly: worker })
  const server = createHttpServer(app, PATIENCE)
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new ListenError(error, config.host, port, worker ? 'WORKER_PORT' : 'PORT')))
    server.listen(port, config.host, () => resolve(server))
  })
}

interface Background {
  stop(): Promise<void>
}

/** Migrates, follows the database's clock, and does background work. If the database is unreachable, it waits. */
function startBackground(
  config: Config,
  services: Services,
  clock: DatabaseClock,
  onReady: () => Promise<void>,
): Background {
  const { database, log } = services
  const stopping = new AbortController()
  let worker: Worker | null = null
  let follow: NodeJS.Timeout | undefined
  const availability = createAvailabilityLog(log)

  const readClock = async () => {
    const { now, roundTripMs } = await database.ping(PING_MS)
    clock.observe(now, roundTripMs)
  }
  const begin = async () => {
    while (!stopping.signal.aborted) {
      try {
        const ran = await migrate(database)
        if (ran.length > 0) log.info({ migrations: ran }, 'the migrations are done')
        await readClock()
        services.schema.current = true
        await onReady()
        break
      } catch (error) {
        if (!(error instanceof DatabaseUnavailableError)) throw error
        log.warn({ reason: error.reason }, `${error.message}: trying again`)
        await new Promise((resume) => setTimeout(resume, RETRY_MS))
      }
    }
    follow = setInterval(() => void readClock().then(availability.up, availability.down), CLOCK_MS)
    services.changes.start()
    if (config.role !== 'api' && !stopping.signal.aborted) worker = await startWorker(services)
  }
  const begun = begin().catch((error: unknown) => {
    complain(error, { ENVIRONMENT: config.environment })
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

interface Running {
  services: Services
  server: Server | null
  background: Background
  stopping: AbortController
}

/**
 * After SIGTERM readiness is 503 and requests are still served, each on a connection that ends with its answer. Then no
 * more are accepted. After SIGINT, which a person sends, no load balancer needs that time.
 */
function stopOnSignal({ services, server, background, stopping }: Running): () => void {
  const { bus, changes, log } = services
  const stop = async (drainMs: number) => {
    if (stopping.signal.aborted) return
    stopping.abort()
    log.info('stopping: no new work, and work in flight is finished')
    setTimeout(() => process.exit(1), SHUTDOWN_MS).unref()
    // Another process delivers the events of later captures.
    const idle = Promise.all([changes.stop(), bus.stop(), background.stop()])
    // Awaited below, after the drain. Until then its error has no handler.
    idle.catch(() => {})
    if (server) {
      await new Promise((resume) => setTimeout(resume, drainMs))
      await new Promise((resolve) => server.close(resolve))
    }
    await idle
    await services.close()
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop(DRAIN_MS))
  process.on('SIGINT', () => void stop(0))
  return () => void stop(0)
}

/** npm passes on SIGTERM and SIGINT. Whatever else ends it never gets here. */
function stopWithoutParent(parent: number, stop: () => void): void {
  setInterval(() => process.ppid !== parent && stop(), PARENT_MS).unref()
}

/** In production each line is JSON, also those that Node writes. */
function logEverything(log: Log): Log {
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ err: warning }, 'Node warns'))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'the process ends, because an error was not caught')
    process.exit(1)
  })
  return log
}

/** True if a terminal shows them and NO_COLOR is not set. */
function hasColours(output: NodeJS.WriteStream): boolean {
  return output.isTTY && output.hasColors()
}

/** Null without a server. */
function portOf(server: Server | null): number | null {
  return server && (server.address() as AddressInfo).port
}
