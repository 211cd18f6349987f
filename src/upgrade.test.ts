import { createHmac, randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPgDatabase } from './adapters/database/pg.ts'
import { stageEvent } from './features/events/events.service.ts'
import { sendMailSweep } from './features/mail/mail.sweeps.ts'
import { createDeliveryEngine } from './features/webhooks/delivery-engine.ts'
import { listDeliveries } from './features/webhooks/deliveries.service.ts'
import { updateWebhook } from './features/webhooks/webhooks.service.ts'
import { replaySweep } from './features/webhooks/webhooks.sweeps.ts'
import { createTestClock, type TestClock } from './platform/clock.ts'
import { parseConfig } from './platform/config.ts'
import { isTransient, systemTransaction, tenantTransaction, type DatabaseAdapter, type TenantTx } from './platform/database.ts'
import { formatId, type Id, type TenantId } from './platform/ids.ts'
import { createLog } from './platform/log.ts'
import { migrate, readMigrations } from './platform/migrate.ts'
import { Secret } from './platform/secrets.ts'
import type { Sweep } from './platform/sweeps.ts'
import { createServices, type Services } from './services.ts'
import { copyDatabase } from './testing/copy-database.ts'
import { createDatabase } from './testing/harness.ts'
import { startReceiver, type Receiver } from './testing/receiver.ts'
import { authenticate0004, capture0004, claim0004, findSession0004, listDue0004, recordDelivered0004 } from './testing/release-0004-statements.ts'
import {
  ADA,
  BOB,
  DISABLED_WEBHOOK,
  LIVE_WEBHOOK,
  NOW_0004,
  rowsOf,
  script0004,
  SECRETS_KEY_0004,
  SIGNING_SECRET_0004,
  SURVEY_0004,
  type GroupName,
} from './testing/release-0004.ts'

const LAST = '0004-webhooks.sql'
const log = createLog('silent')

let receiver: Receiver
let cleanups: Array<() => Promise<unknown>>
beforeAll(async () => {
  cleanups = []
  receiver = await startReceiver()
})
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup()
  await receiver.close()
})

async function emptyDatabase(): Promise<{ url: string; database: DatabaseAdapter }> {
  const created = await createDatabase()
  const secret = new Secret(created.url)
  const database = createPgDatabase({ url: secret, migrationUrl: secret, poolSize: 10, connection: 'pool', log })
  cleanups.push(created.drop, () => database.close())
  return { url: created.url, database }
}

async function databaseOf0004(): Promise<{ url: string; database: DatabaseAdapter }> {
  const made = await emptyDatabase()
  await migrate(
    made.database,
    (await readMigrations()).filter((file) => file.name <= LAST),
  )
  await made.database.asOwner((owner) => owner.script(script0004(receiver.url)))
  return made
}

test('rows that were pending before an upgrade and a restore elsewhere are delivered once, as what they were', { timeout: 120_000 }, async () => {
  const old = await databaseOf0004()
  const newer = (await readMigrations()).map((file) => file.name).filter((name) => name > LAST)
  expect(newer.length).toBeGreaterThan(0)
  expect(await migrate(old.database)).toEqual(newer)
  const restored = await emptyDatabase()
  await copyDatabase(old.url, restored.url, () => migrate(restored.database))
  expect(await migrate(restored.database), 'nothing is left to migrate').toEqual([])
  expect(await everything(restored.database)).toEqual(await everything(old.database))

  const clock = createTestClock(NOW_0004)
  const services = await servicesOn(restored.database, clock)
  await deliverEverything(services, clock)

  const sent: GroupName[] = ['fresh', 'failedOnce', 'retryLater', 'workerDied', 'inFlight', 'parked', 'replayed', 'bobs']
  const expected = sent
    .flatMap((name) => rowsOf(name))
    .map((row) => [formatId('delivery', row.delivery as Id<'delivery'>), formatId('event', row.event as Id<'event'>)])
  const received = receiver.requests.map((request) => [request.headers['webhook-id'], JSON.parse(request.body).id])
  expect(received.sort()).toEqual(expected.sort())
  for (const { headers, body } of receiver.requests) {
    const signature = createHmac('sha256', SIGNING_SECRET_0004).update(`${headers['x-voc-timestamp']}.${body}`).digest('hex')
    expect(headers['x-voc-signature']).toBe(`v1=${signature}`)
    expect(JSON.parse(body).data.text).toEqual([{ questionId: 'q3', value: 'Schön 👍' }])
  }
  const counted = (await ledger(services, ADA)).counts
  expect(counted).toEqual({ pending: 0, delivered: expected.length + 10 - 15, failed: 0, dead_lettered: 0 })
  expect((await ledger(services, BOB)).counts).toEqual({ pending: 0, delivered: 15, failed: 5, dead_lettered: 5 })
})

test('a process of the release before serves while the schema is upgraded under it', { timeout: 120_000 }, async () => {
  const { database } = await databaseOf0004()
  let staged = 0
  let running = true
  const clients = [ADA, BOB, ADA, BOB].map(async (tenant) => {
    while (running) {
      const handle = database.open()
      // Where it and the migration lock the same tables, one of them gives way: the respondent is told to try again.
      const ids = await tenantTransaction(handle, tenant as TenantId, (tx) => capture0004(tx, SURVEY_0004, NOW_0004)).catch((error: unknown) => {
        if (!isTransient(error)) throw error
        return []
      })
      staged += ids.length
      await handle.release()
    }
  })
  await expect.poll(() => staged).toBeGreaterThan(20)
  await migrate(database)
  const during = staged
  await expect.poll(() => staged).toBeGreaterThan(during + 20)
  running = false
  await Promise.all(clients)
  const [row] = await database.asOwner((owner) =>
    owner.query<{ n: number }>(`select count(*)::int as n from webhook_deliveries where id > '01960000-0000-0000-0000-000000000000'`),
  )
  expect(row?.n).toBe(staged)
})

test('what an API process of the release before stages, a worker of this one delivers', async () => {
  receiver.requests.length = 0
  const { database } = await databaseOf0004()
  await migrate(database)
  await database.asOwner((owner) => owner.query('delete from webhook_deliveries'))
  const handle = database.open()
  cleanups.push(() => handle.release())
  const tenant = await systemTransaction(handle, (tx) => authenticate0004(tx, 'hash-0'))
  expect(tenant).toBe(ADA)
  expect(await tenantTransaction(handle, ADA as TenantId, (tx) => findSession0004(tx, 'hash-0', NOW_0004))).toMatchObject([
    { permissions: ['integrations.manage'] },
  ])
  const staged = await tenantTransaction(handle, ADA as TenantId, (tx) => capture0004(tx, SURVEY_0004, NOW_0004))
  expect(staged).toHaveLength(1)
  const services = await servicesOn(database, createTestClock(NOW_0004))
  const engine = engineOf(services, createTestClock(NOW_0004))
  await engine.sweep()
  await engine.idle()
  await engine.stop()
  expect(receiver.requests.map((request) => request.headers['webhook-id'])).toEqual(staged.map((id) => formatId('delivery', id as Id<'delivery'>)))
})

test('a worker of the release before and one of this one send no row twice and lose none', async () => {
  receiver.requests.length = 0
  const { database } = await databaseOf0004()
  await migrate(database)
  await database.asOwner((owner) => owner.query('delete from webhook_deliveries'))
  const clock = createTestClock(NOW_0004)
  const services = await servicesOn(database, clock)
  const handle = database.open()
  cleanups.push(() => handle.release())
  const asAda = <T>(work: (tx: TenantTx) => Promise<T>) => tenantTransaction(handle, ADA as TenantId, work)
  const [sent = ''] = await asAda((tx) => capture0004(tx, SURVEY_0004, NOW_0004))
  const [lost = ''] = await asAda((tx) => capture0004(tx, SURVEY_0004, NOW_0004))

  expect(await systemTransaction(handle, listDue0004)).toMatchObject([{ tenant_id: ADA, webhook_id: LIVE_WEBHOOK }])
  const lease = { token: randomUUID(), now: NOW_0004, until: new Date(NOW_0004.getTime() + 45_000) }
  const claimed = await asAda((tx) => claim0004(tx, LIVE_WEBHOOK, lease))
  expect(claimed.map((row) => row.id).sort()).toEqual([sent, lost].sort())
  const engine = engineOf(services, clock)
  const pass = async () => {
    await engine.sweep()
    await engine.idle()
  }
  await pass()
  expect(receiver.requests, 'the other worker has a lease').toEqual([])
  expect(await asAda((tx) => recordDelivered0004(tx, LIVE_WEBHOOK, [sent], lease))).toBe(1)
  clock.advance(45_000)
  await pass()
  expect(receiver.requests.map((request) => request.headers['webhook-id'])).toEqual([formatId('delivery', lost as Id<'delivery'>)])
  expect(await asAda((tx) => recordDelivered0004(tx, LIVE_WEBHOOK, [lost], lease)), 'its lease is over').toBe(0)

  const event = { type: 'response.completed', surveyId: null, source: 'of this release', data: {} } as const
  await services.run((system) => {
    const scope = system.tenant(ADA as TenantId, { type: 'system' })
    return scope.tx((tx) => stageEvent(scope, tx, event))
  })
  expect(await systemTransaction(handle, listDue0004), 'only workers of this release find these').toEqual([])
  await pass()
  expect(receiver.requests).toHaveLength(2)
  await engine.stop()
  // What the disabled webhook would get waits for it.
  expect((await ledger(services, ADA)).counts).toMatchObject({ pending: 1, delivered: 3 })
})

async function servicesOn(database: DatabaseAdapter, clock: TestClock): Promise<Services> {
  const config = parseConfig({ SECRETS_KEY: SECRETS_KEY_0004, LOG_LEVEL: 'silent', DATA_DIR: '/nonexistent' })
  return createServices(config, { log, clock, database })
}

function engineOf({ run, settings }: Services, clock: TestClock) {
  return createDeliveryEngine({ run, settings, log, clock, metrics: new Registry() })
}

/** Two workers at once, so that rows that could go twice would. */
async function deliverEverything(services: Services, clock: TestClock): Promise<void> {
  const mail: string[] = []
  Object.assign(services.factories, { email: () => ({ send: async (message: { to: string }) => void mail.push(message.to) }) })
  const engines = [engineOf(services, clock), engineOf(services, clock)]
  const pass = async () => {
    await Promise.all(engines.map((engine) => engine.sweep()))
    await Promise.all(engines.map((engine) => engine.idle()))
  }
  await pass()
  expect(new Set(receiver.requests.map((request) => request.headers['webhook-id'])).size, 'rows under a lease wait for its end').toBe(75)
  clock.advance(41_000)
  await pass()
  await services.run((system) =>
    updateWebhook(
      system.tenant(ADA as TenantId, { type: 'system' }),
      DISABLED_WEBHOOK as Id<'webhook'>,
      { enabled: true } as Parameters<typeof updateWebhook>[2],
    ),
  )
  await runSweep(services, replaySweep)
  await runSweep(services, sendMailSweep)
  clock.advance(3_600_000)
  await pass()
  clock.advance(3_600_000)
  await pass()
  await Promise.all(engines.map((engine) => engine.stop()))
  expect(mail).toEqual(['ada@example.com'])
}

function runSweep(services: Services, sweep: Sweep): Promise<number> {
  return services.run((system) => sweep.run(system, { limit: 100, signal: new AbortController().signal, renew: async () => true }))
}

function ledger(services: Services, tenant: string) {
  return services.run((system) =>
    listDeliveries(system.tenant(tenant as TenantId, { type: 'system' }), { limit: 100 } as Parameters<typeof listDeliveries>[1], { limit: 100, before: null }),
  )
}

/** A digest of each table's rows. */
function everything(database: DatabaseAdapter): Promise<Array<{ name: string; rows: number; digest: string }>> {
  return database.asOwner(async (owner) => {
    const tables = await owner.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public' order by 1`)
    const digests = []
    for (const { name } of tables) {
      const [row] = await owner.query<{ rows: number; digest: string }>(
        `select count(*)::int as rows, coalesce(md5(string_agg(t::text, ';' order by t::text)), '') as digest from ${name} as t`,
      )
      digests.push({ name, rows: row?.rows ?? -1, digest: row?.digest ?? '' })
    }
    return digests
  })
}
