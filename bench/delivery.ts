import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Registry } from 'prom-client'
import { Pool } from 'undici'
import { createDatabaseClock } from '../src/platform/clock.ts'
import { parseConfig } from '../src/platform/config.ts'
import { newId, type TenantId } from '../src/platform/ids.ts'
import { createLog } from '../src/platform/log.ts'
import { migrate } from '../src/platform/migrate.ts'
import { stageEvent } from '../src/features/events/events.service.ts'
import { CATALOGUE } from '../src/features/events/events.schema.ts'
import { createDeliveryEngine } from '../src/features/webhooks/delivery-engine.ts'
import { createWebhook } from '../src/features/webhooks/webhooks.service.ts'
import { createServices, type Services } from '../src/services.ts'
import { startPostgres } from '../src/testing/postgres.ts'

const ENDPOINTS = 100
const IN_FLIGHT = 64

const { values: options } = parseArgs({
  options: { rows: { type: 'string', default: '20000' }, seconds: { type: 'string', default: '5' }, engine: { type: 'string', default: 'pg' } },
})
const rows = Number(options.rows)

const dataDir = await mkdtemp(join(tmpdir(), 'earshot-bench-'))
const postgres = options.engine === 'pg' ? await startPostgres() : null
const services = await openServices(postgres?.url('postgres'))
const receiver = fork(new URL('receiver.ts', import.meta.url), { stdio: 'inherit' })
const { port } = await answerOf<{ port: number }>(receiver)
const url = `http://127.0.0.1:${port}`
const example = CATALOGUE.find((entry) => entry.name === 'response.completed')?.example ?? {}

say(`Deliveries end to end against what Pool.dispatch alone posts to the same receiver (a process of its own on node:http).`)
say(
  `${options.engine === 'pg' ? 'PostgreSQL over a Unix socket, pool of 20, pipelined' : 'the embedded database'}; ${ENDPOINTS} endpoints of one tenant; one worker; ${rows} rows waiting at the start.\n`,
)

const raw = await dispatchAlone(Number(options.seconds))
say(`Pool.dispatch alone  ${Math.round(raw)} requests/s (${IN_FLIGHT} in flight)`)

const tenantId = newId('workspace')
await register(services, tenantId)
const staged = await stage(services, tenantId, rows)
say(`staging              ${Math.round(staged)} rows/s through stageEvent`)

// What autovacuum has done long ago on any database that is in use.
await services.database.asOwner((owner) => owner.script('analyze'))
const delivered = await drain(services, tenantId, rows)
say(`Earshot              ${Math.round(delivered)} deliveries/s end to end: claimed, signed, posted, recorded with their attempts`)
say(`\nratio                ${(delivered / raw).toFixed(3)}`)

receiver.disconnect()
await services.close()
await postgres?.stop()
await rm(dataDir, { recursive: true, force: true })

async function openServices(databaseUrl: string | undefined): Promise<Services> {
  const config = parseConfig({
    LOG_LEVEL: 'error',
    SECRETS_KEY: 'a-key-for-a-bench-that-is-long-enough',
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : { DATA_DIR: dataDir }),
  })
  const opened = await createServices(config, { log: createLog('error'), clock: createDatabaseClock() })
  await migrate(opened.database)
  return opened
}

async function dispatchAlone(seconds: number): Promise<number> {
  const pool = new Pool(url, { connections: IN_FLIGHT, pipelining: 1 })
  const body = JSON.stringify(example)
  const end = performance.now() + seconds * 1000
  let done = 0
  const post = () =>
    new Promise<void>((resolve, reject) => {
      pool.dispatch(
        { path: '/hooks', method: 'POST', headers: { 'content-type': 'application/json' }, body },
        {
          onRequestStart() {},
          onResponseStart() {},
          onResponseData() {},
          onResponseEnd: () => resolve(),
          onResponseError: (_controller, error) => reject(error),
        },
      )
    })
  const started = performance.now()
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (performance.now() < end) {
        await post()
        done += 1
      }
    }),
  )
  const rate = done / ((performance.now() - started) / 1000)
  await pool.close()
  return rate
}

async function register(target: Services, tenant: TenantId): Promise<void> {
  const registration = { description: '', events: [], survey_ids: [], include_text: true, include_custom_data: true, include_answers: true }
  for (let i = 0; i < ENDPOINTS; i++) {
    await target.run((system) => createWebhook(system.tenant(tenant, { type: 'system' }), { ...registration, url: `${url}/hooks/${i}` }))
  }
}

async function stage(target: Services, tenant: TenantId, count: number): Promise<number> {
  const started = performance.now()
  const events = Math.ceil(count / ENDPOINTS)
  const { data } = example as { data: object }
  let next = 0
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let i = next++; i < events; i = next++) {
        await target.run((system) => {
          const scope = system.tenant(tenant, { type: 'system' })
          return scope.tx((tx) => stageEvent(scope, tx, { type: 'response.completed', surveyId: null, source: `bench:${i}`, data }))
        })
      }
    }),
  )
  return (events * ENDPOINTS) / ((performance.now() - started) / 1000)
}

async function drain(target: Services, tenant: TenantId, count: number): Promise<number> {
  const engine = createDeliveryEngine({ run: target.run, clock: target.clock, log: target.log, settings: target.settings, metrics: new Registry() })
  const started = performance.now()
  await engine.sweep()
  await engine.idle()
  const elapsed = (performance.now() - started) / 1000
  await engine.stop()
  const [left] = await target.database.asOwner((owner) =>
    owner.query<{ n: number }>(`select count(*)::int as n from webhook_deliveries where tenant_id = $1 and status <> 'delivered'`, [tenant]),
  )
  if (left?.n !== 0) throw new Error(`${left?.n} of ${count} rows were not delivered`)
  return count / elapsed
}

async function answerOf<T>(child: ChildProcess): Promise<T> {
  const [message] = (await once(child, 'message')) as [T]
  return message
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
