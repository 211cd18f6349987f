import { setTimeout as pause } from 'node:timers/promises'
import { startHostileServers, REACHABLE, type HostileEndpoint } from './hostile-servers.ts'
import { until } from '../load.ts'
import { createRig, hostileHost, memoryOf, type Rig } from '../rig.ts'
import { openStaging, type Tenant } from '../staging.ts'
import { createJudge, quantile, type Given, type Judge, type Verdict } from '../verdict.ts'

export interface EndpointsSize {
  /** Tenants that have every hostile endpoint, each so many times. */
  tenants: number
  copies: number
  /** Healthy deliveries go on at least so long. */
  streamMs: number
  /** Waits until each endpoint that holds its requests for 15 s was given up five times. */
  holdersToo: boolean
  /** Whether times are judged: those of a machine that does other things too say nothing. */
  timed: boolean
}

const HEALTHY = 2
const EVENTS_PER_SECOND = 10
// A healthy delivery waits no longer than this, whatever the others do.
const WAIT_MS = 5_000
// Less than one of the bombs would take.
const MEMORY_MB = 250
const END_MS = 180_000

/**
 * Endpoints of every bad kind, and names that turn private: each costs its own delivery only, and nothing private is
 * dialled.
 */
export async function runEndpoints({ databaseUrl, say }: Given, size: EndpointsSize): Promise<Verdict> {
  const rig = await createRig(databaseUrl, REACHABLE)
  const staging = await openStaging(databaseUrl)
  const hostile = await startHostileServers()
  try {
    const judge = createJudge()
    const healthy = Array.from({ length: HEALTHY }, (_, n) => ({
      url: rig.receiver.url(n),
      events: ['response.updated' as const],
    }))
    const endpoints = Array.from({ length: size.copies }, () => hostile.endpoints).flat()
    const placeholders = endpoints.map(() => ({ url: `http://${REACHABLE}/`, events: ['response.completed' as const] }))
    const kinds = new Map<string, HostileEndpoint>()
    const tenants: Tenant[] = [await staging.createTenant(healthy)]
    for (let n = 0; n < size.tenants; n++) {
      const tenant = await staging.createTenant([...healthy, ...placeholders])
      const ids = tenant.webhookIds.slice(HEALTHY)
      for (const [i, id] of ids.entries()) kinds.set(id, endpoints[i] as HostileEndpoint)
      // The API would refuse some of these: they stand for a name or a setting that changed since.
      const urls = endpoints.map(({ url }) => url)
      await rig.look(
        'update webhooks w set url = n.url from unnest($1::uuid[], $2::text[]) as n (id, url) where w.id = n.id',
        [ids, urls],
      )
      tenants.push(tenant)
    }

    const worker = rig.start({
      ROLE: 'worker',
      LOG_LEVEL: 'fatal',
      WEBHOOK_ALLOW_CIDRS: `${REACHABLE}/32`,
      WEBHOOK_RETRY_SECONDS: '1,1,1,1',
      ...hostileHost({ HOST_NAMES: JSON.stringify(hostile.names) }),
    })
    await worker.url
    const stream = startStream(tenants)
    await pause(2_000)
    const calmMb = memoryOf(worker)
    let mostMb = calmMb
    await Promise.all(tenants.map((tenant) => tenant.stage(1)))

    const started = performance.now()
    const waitsFor = [...kinds].filter(([, { holds }]) => size.holdersToo || !holds).map(([id]) => id)
    const over = await until(
      async () => {
        mostMb = Math.max(mostMb, memoryOf(worker))
        const left = await countLeft(rig, waitsFor)
        say(`${left} hostile deliveries to go`)
        return left === 0 && performance.now() - started > size.streamMs
      },
      END_MS,
      250,
    )
    judge.must('every hostile delivery ends', over)
    await stream.stop()
    judge.must(
      'every healthy row ends delivered',
      await until(async () => (await countLeft(rig, healthyIds(tenants))) === 0, 10_000),
    )
    judge.must('the worker never exits', (await Promise.race([worker.exit, pause(50, null)])) === null)

    await judgeHostile(rig, judge, new Map([...kinds].filter(([id]) => waitsFor.includes(id))))
    await judgeHealthy(rig, judge, healthyIds(tenants), size)
    judge.must('nothing private is dialled', hostile.dialled() === 0, `${hostile.dialled()} times`)
    judge.must('a listener would have noticed', await hostile.provesItself())
    judge.must(
      `memory grows by less than ${MEMORY_MB} MB`,
      mostMb - calmMb < MEMORY_MB,
      `${Math.round(mostMb - calmMb)} MB`,
    )
    judge.fact('hostile endpoints', kinds.size)
    judge.fact('kinds', hostile.endpoints.length)
    judge.fact('memory before and at most', `${Math.round(calmMb)} and ${Math.round(mostMb)} MB`)
    return judge.verdict()
  } finally {
    await rig.stop()
    await staging.close()
    await hostile.close()
  }
}

function healthyIds(tenants: Tenant[]): string[] {
  return tenants.flatMap((tenant) => tenant.webhookIds.slice(0, HEALTHY))
}

function startStream(tenants: Tenant[]): { stop(): Promise<void> } {
  let stopped = false
  const running = (async () => {
    while (!stopped) {
      await Promise.all(tenants.map((tenant) => tenant.stage(1, 'response.updated')))
      await pause(1_000 / EVENTS_PER_SECOND)
    }
  })()
  return {
    async stop() {
      stopped = true
      await running
    },
  }
}

async function countLeft(rig: Rig, webhookIds: string[]): Promise<number> {
  const [row] = await rig.look<{ n: number }>(
    `select count(*)::int as n from webhook_deliveries where webhook_id = any($1::uuid[]) and status <> 'delivered' and not dead_lettered`,
    [webhookIds],
  )
  return row?.n ?? 0
}

async function judgeHostile(rig: Rig, judge: Judge, kinds: Map<string, HostileEndpoint>): Promise<void> {
  const rows = await rig.look<{ webhook_id: string; status: string; attempts: number; errors: Array<string | null> }>(
    `select d.webhook_id, d.status, d.attempts,
       (select array_agg(a.error) from webhook_attempts a where a.tenant_id = d.tenant_id and a.delivery_id = d.id) as errors
     from webhook_deliveries d where d.webhook_id = any($1::uuid[])`,
    [[...kinds.keys()]],
  )
  const asExpected = ({ webhook_id, status, attempts, errors }: (typeof rows)[number]) => {
    const ends = kinds.get(webhook_id)?.ends
    if (ends === 'delivered') return status === 'delivered' && attempts === 1
    return (
      status === 'failed' && attempts === 5 && errors.length === 5 && errors.every((error) => ends?.test(error ?? ''))
    )
  }
  const odd = rows.filter((row) => !asExpected(row))
  const found = odd.map(
    (row) =>
      `${kinds.get(row.webhook_id)?.name}: ${row.status} after ${row.attempts}, ${[...new Set(row.errors)].join('; ')}`,
  )
  judge.must(
    'each kind of endpoint ends as it should',
    rows.length === kinds.size && odd.length === 0,
    [...new Set(found)].join(' | '),
  )
}

async function judgeHealthy(rig: Rig, judge: Judge, webhookIds: string[], size: EndpointsSize): Promise<void> {
  const rows = await rig.look<{ attempts: number; ms: number }>(
    `select attempts, extract(epoch from delivered_at - created_at)::float8 * 1000 as ms from webhook_deliveries where webhook_id = any($1::uuid[])`,
    [webhookIds],
  )
  const waits = rows.map(({ ms }) => ms)
  const longest = Math.max(0, ...waits)
  judge.must(
    'healthy rows are delivered by their first attempt',
    rows.every(({ attempts }) => attempts === 1),
  )
  judge.must('no healthy row waits 5 s', !size.timed || longest < WAIT_MS, `${Math.round(longest)} ms`)
  judge.fact('healthy deliveries', rows.length)
  judge.fact(
    'their wait, median, p99 and longest',
    `${Math.round(quantile(waits, 0.5))}, ${Math.round(quantile(waits, 0.99))} and ${Math.round(longest)} ms`,
  )
}
