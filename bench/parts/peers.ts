import { Logger, run, type Runner } from 'graphile-worker'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { createBodies } from '../../src/features/delivery/webhooks/engine/body.ts'
import { createKeyring } from '../../src/features/delivery/webhooks/engine/keyring.ts'
import { attempt } from '../../src/features/delivery/webhooks/engine/attempt.ts'
import { handOver } from '../../src/features/delivery/webhooks/test-receivers/hand-over.service.ts'
import type { LeasedDelivery } from '../../src/features/delivery/webhooks/staging/fresh-sender.ts'
import type { TenantId } from '../../src/platform/ids.ts'
import { createTenant, ENDPOINTS, IN_FLIGHT, stageEvents, type Rig } from './rig.ts'

// A peer takes the place of Earshot's own queue; the rest is the same work by the same code: the ledger's row is
// read, rendered, signed, posted through the guard, and recorded with its attempt in batches. The peers do it as a
// superuser, without row level security.
const LOAD = `
  select d.id, d.webhook_id, d.attempts, d.event_id, e.type as event, e.created_at as event_created_at, e.data,
    h.url, h.secret, h.previous_secret, h.previous_secret_expires_at, h.headers, h.enabled, h.last_delivered_at, h.failing_since, h.include_text, h.include_custom_data, h.include_answers
  from webhook_deliveries d join events e on e.tenant_id = d.tenant_id and e.id = d.event_id join webhooks h on h.tenant_id = d.tenant_id and h.id = d.webhook_id
  where d.tenant_id = $1 and d.id = any($2::uuid[])`
const RECORD = `
  with settled as (
    select * from unnest($2::uuid[], $3::timestamptz[], $4::int[], $5::int[], $6::text[], $7::bigint[], $8::text[], $9::text[])
    as s (id, at, status_code, latency_ms, excerpt, timestamp, signature, body_sha256)),
  updated as (
    update webhook_deliveries d set status = 'delivered', attempts = 1, attempts_logged = 1, last_status_code = s.status_code, last_latency_ms = s.latency_ms, delivered_at = s.at
    from settled s where d.tenant_id = $1 and d.id = s.id returning d.id)
  insert into webhook_attempts (tenant_id, delivery_id, n, at, status_code, latency_ms, response_excerpt, timestamp, signature, body_sha256, omitted)
  select $1, s.id, 1, s.at, s.status_code, s.latency_ms, s.excerpt, s.timestamp, s.signature, s.body_sha256, '{}' from settled s join updated u on u.id = s.id`

interface Work {
  ids: string[]
  /** Delivers some rows and records them, together. */
  deliver(ids: string[]): Promise<void>
  done: Promise<void>
  close(): Promise<void>
}

/** Deliveries a second of pg-boss: 100 jobs a fetch, several fetches at once, no pause while batches are full. */
export async function runPgBoss(rig: Rig, rows: number): Promise<number> {
  const work = await stageWork(rig, rows)
  const boss = new PgBoss({ connectionString: urlOf(rig), schema: 'pgboss', max: 20 })
  boss.on('error', () => {})
  await boss.start()
  await boss.createQueue('hooks')
  for (let i = 0; i < rows; i += 1_000) {
    await boss.insert(
      'hooks',
      work.ids.slice(i, i + 1_000).map((id) => ({ data: { id } })),
    )
  }
  const started = performance.now()
  await boss.work<{ id: string }>(
    'hooks',
    { batchSize: 100, pollingIntervalSeconds: 0.5, burstWhenBatchFull: true, localConcurrency: 2 },
    (jobs) => work.deliver(jobs.map((job) => job.data.id)),
  )
  await work.done
  const rate = rows / ((performance.now() - started) / 1000)
  await boss.stop({ graceful: false })
  await work.close()
  return rate
}

/** Deliveries a second of graphile-worker: 64 jobs at once from a local queue of 500, completed in batches. */
export async function runGraphileWorker(rig: Rig, rows: number): Promise<number> {
  const work = await stageWork(rig, rows)
  let waiting: Array<{ id: string; finish: () => void }> = []
  // Its tasks are single: those that come in one turn of the event loop are delivered together.
  const hook = (payload: unknown) =>
    new Promise<void>((finish) => {
      if (waiting.length === 0) setImmediate(flush)
      waiting.push({ id: (payload as { id: string }).id, finish })
    })
  const flush = () => {
    const batch = waiting
    waiting = []
    void work.deliver(batch.map(({ id }) => id)).then(() => batch.forEach(({ finish }) => finish()))
  }
  const start = (): Promise<Runner> =>
    run({
      connectionString: urlOf(rig),
      noHandleSignals: true,
      crontab: '',
      logger: new Logger(() => () => {}),
      taskList: { hook },
      preset: {
        worker: { concurrentJobs: IN_FLIGHT, maxPoolSize: 20, localQueue: { size: 500 }, completeJobBatchDelay: 0 },
      },
    })
  // Once without work, for its schema.
  await (await start()).stop()
  const client = new pg.Client(urlOf(rig))
  await client.connect()
  await client.query(
    `select graphile_worker.add_job('hook', json_build_object('id', id)) from unnest($1::uuid[]) as ids (id)`,
    [work.ids],
  )
  await client.end()
  const started = performance.now()
  const runner = await start()
  await work.done
  const rate = rows / ((performance.now() - started) / 1000)
  await runner.stop()
  await work.close()
  return rate
}

async function stageWork(rig: Rig, rows: number): Promise<Work> {
  const urls = Array.from({ length: ENDPOINTS }, (_, i) => `${rig.receiver.url}/hooks/${i}`)
  const tenantId: TenantId = await createTenant(rig.services, urls)
  await stageEvents(rig.services, tenantId, rows / ENDPOINTS)
  const pool = new pg.Pool({ connectionString: urlOf(rig), max: 20 })
  await pool.query('truncate webhook_queue')
  const staged = await pool.query<{ id: string }>(
    'select id from webhook_deliveries where tenant_id = $1 order by id',
    [tenantId],
  )
  const tools = { keyring: createKeyring(), bodies: createBodies(), handOver }
  let finish = () => {}
  const done = new Promise<void>((resolve) => (finish = resolve))
  let recorded = 0
  return {
    ids: staged.rows.map((row) => row.id),
    done,
    async deliver(ids) {
      const loaded = await pool.query<Omit<LeasedDelivery, 'leaseToken'>>({
        name: 'load',
        text: LOAD,
        values: [tenantId, ids],
      })
      const attempted = await rig.services.run((system) => {
        const scope = system.tenant(tenantId, { type: 'system' })
        return Promise.all(loaded.rows.map((row) => attempt(scope, { ...row, leaseToken: '' }, tools, 0)))
      })
      const column = <T>(of: (settled: (typeof attempted)[number]['settled']) => T) =>
        attempted.map(({ settled }) => of(settled))
      await pool.query({
        name: 'record',
        text: RECORD,
        values: [
          tenantId,
          column((s) => s.id),
          column((s) => s.at),
          column((s) => s.statusCode),
          column((s) => s.latencyMs),
          column((s) => s.excerpt),
          column((s) => s.timestamp),
          column((s) => s.signature),
          column((s) => s.bodySha256),
        ],
      })
      recorded += ids.length
      if (recorded >= rows) finish()
    },
    close: () => pool.end(),
  }
}

function urlOf(rig: Rig): string {
  return rig.postgres?.url('postgres') ?? ''
}
