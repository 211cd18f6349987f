import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { createPgDatabase } from './adapters/postgres/postgres.ts'
import { createPgliteDatabase } from './adapters/pglite/pglite.ts'
import { createOutboundHttp } from './adapters/outbound-http/outbound-http.ts'
import { createBuckets, createStorage, prepareStorage } from './adapters/storage/storage.ts'
import { createWakeBus, type WakeBus } from './adapters/wake-bus/wake-bus.ts'
import { createIdentity } from './identity.ts'
import { createCaches, type Caches } from './platform/config/caches.ts'
import { createChangeFeed, type ChangeFeed } from './platform/changes/feed.ts'
import { createChat } from './platform/ports/chat.ts'
import type { Clock } from './platform/loop/clock.ts'
import type { Config } from './platform/config/config.ts'
import { UNMIGRATED, type DatabaseAdapter, type Reach } from './platform/database/database-adapter.ts'
import type { Log } from './platform/config/log.ts'
import { createPorts, type PortFactories } from './platform/ports/ports.ts'
import { createSystemScope, type Settings, type Signals, type SystemScope } from './platform/scope.ts'
import { createSecretBox, Secret, type SecretBox } from './platform/config/secrets.ts'
import { tracedDatabase, tracedPort } from './platform/ports/traced-ports.ts'
import type { Tracing } from './platform/ports/tracing.ts'
import { features } from './features.ts'
import { createSignals } from './platform/work/listeners.ts'
import { CHATS, createProviders } from './providers.ts'
import { VERSION } from './version.ts'

/** Parts that live as long as the process. Each request or background step gets its own ports from them. */
export interface Services {
  config: Config
  settings: Settings
  database: DatabaseAdapter
  bus: WakeBus
  changes: ChangeFeed
  factories: PortFactories
  clock: Clock
  log: Log
  secrets: SecretBox
  caches: Caches
  signals: Signals
  tracing: Tracing | null
  metrics: Registry
  /** While the schema is not this version's, requests see an unreachable database. */
  schema: { current: boolean }
  /** Runs one background step with its own ports. */
  run<T>(work: (system: SystemScope) => Promise<T>): Promise<T>
  close(): Promise<void>
}

interface ServiceOptions {
  log: Log
  clock: Clock
  /** Tests open it themselves and share one engine between suites. */
  database?: DatabaseAdapter
  onStatement?: (text: string, reach: Reach) => void
  /** False if the migrations still run while the server listens. */
  schemaIsCurrent?: boolean
}

/** Builds all parts from the settings. It opens no connection yet, except to the embedded database. */
export async function createServices(config: Config, options: ServiceOptions): Promise<Services> {
  const { log, clock } = options
  const database = options.database ?? (await openDatabase(config, options))
  const secrets = createSecretBox(config.secretsKeys ?? [await developmentKey(config.dataDir)])
  const bus = createWakeBus(database, log)
  const outboundHttp = createOutboundHttp({
    allowCidrs: config.webhooks.allowCidrs,
    development: !config.production,
  })
  const providers = createProviders(config, log)
  await prepareStorage(config)
  const storage = createStorage(config)
  const buckets = createBuckets(outboundHttp.agent)
  const settings: Settings = {
    production: config.production,
    baseUrl: config.publicBaseUrl ?? `http://localhost:${config.port}`,
    version: VERSION,
    signups: config.signups,
    configured: config.configured,
    webhooks: config.webhooks,
    retention: config.retention,
    callbackBaseUrl: config.publicBaseUrl,
    capturePerMinute: config.capturePerMinute,
    rates: config.rates,
    recoverySweepSeconds: config.recoverySweepSeconds,
  }
  const caches = createCaches()
  const signals = createSignals(features.flatMap(({ listeners = [] }) => listeners))
  const tracing = await openTracing(config, log)
  const traced = <Port extends object>(name: string, port: Port) => (tracing ? tracedPort(name, port, tracing) : port)
  const openHandle = () => (tracing ? tracedDatabase(database.open(), tracing) : database.open())
  const schema = { current: options.schemaIsCurrent ?? true }
  const factories: PortFactories = {
    database: () => (schema.current ? openHandle() : UNMIGRATED),
    email: () => traced('email', providers.ports.email),
    emailCallbacks: () => providers.ports.emailCallbacks,
    sms: () => traced('sms', providers.ports.sms),
    voice: () => traced('voice', providers.ports.voice),
    phoneCallbacks: () => providers.ports.phoneCallbacks,
    queue: () => bus,
    changes: () => changes,
    lateReading: () => ({
      read: (tenantId, work) => run((system) => system.tenant(tenantId, { type: 'system' }).read(work)),
    }),
    identity: (ports) => createIdentity(ports, clock, secrets),
    outboundHttp: () => outboundHttp,
    ai: () => providers.ports.ai,
    chat: (ports) => traced('chat', createChat(ports.outboundHttp, CHATS)),
    storage: () => storage,
    buckets: () => buckets,
  }
  const run: Services['run'] = async (work) => {
    const container = createPorts(factories)
    try {
      return await work(
        createSystemScope({
          ports: container.ports,
          clock,
          log,
          secrets,
          settings,
          caches,
          signals,
          tracing,
          requestId: 'background',
          origin: null,
        }),
      )
    } finally {
      await container.dispose()
    }
  }
  const changes = createChangeFeed(run, log)
  return {
    config,
    settings,
    database,
    bus,
    changes,
    factories,
    clock,
    log,
    secrets,
    caches,
    signals,
    tracing,
    metrics: new Registry(),
    schema,
    run,
    async close() {
      await changes.stop()
      await bus.stop()
      await tracing?.close()
      await outboundHttp.close()
      await providers.close()
      await database.close()
    },
  }
}

// Loaded only for an operator with a collector.
async function openTracing({ tracing }: Config, log: Log): Promise<Tracing | null> {
  if (tracing === null) return null
  const { createTracing } = await import('./adapters/otel/otel.ts')
  return createTracing(tracing, { log, version: VERSION })
}

function openDatabase(config: Config, options: ServiceOptions): Promise<DatabaseAdapter> | DatabaseAdapter {
  const { log, onStatement } = options
  if (config.database.kind === 'pglite') return createPgliteDatabase({ dataDir: config.database.dataDir, onStatement })
  return createPgDatabase({ ...config.database, log, onStatement })
}

// Production sets its own key. In development one is created and kept beside the data.
async function developmentKey(dataDir: string): Promise<Secret> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'secrets.key')
  await writeFile(path, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
  return new Secret(await readFile(path, 'utf8'))
}
