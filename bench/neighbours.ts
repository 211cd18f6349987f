import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startProcess } from '../src/testing/process.ts'
import { deleteWebhook, listWebhooks } from '../src/features/delivery/webhooks/registration/webhooks.service.ts'
import type { TenantId } from '../src/platform/ids.ts'
import { parseId } from '../src/platform/ids.ts'
import { openArrival } from './parts/load.ts'
import {
  createTenant,
  machine,
  median,
  openRig,
  percentile,
  say,
  SECRETS_KEY,
  stageEvents,
  verdict,
} from './parts/rig.ts'

// The cost of sick endpoints for the healthy ones of the same workspace and worker.
const HEALTHY = 65
const SICK = { hang: 20, fail: 10, drip: 5 }
const PAIRS = 5
const EVENTS_PER_SECOND = 15
const BURST = 60

const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '8' } } })
const seconds = Number(options.seconds)

const rig = await openRig()
const worker = startProcess({
  DATABASE_URL: rig.postgres?.url('postgres') ?? '',
  SECRETS_KEY,
  ROLE: 'worker',
  LOG_LEVEL: 'error',
})
process.on('exit', () => void worker.kill('SIGKILL'))
await worker.url
say(
  `${machine()}; one worker process; ${HEALTHY} healthy endpoints of one tenant beside 35 that are healthy (calm) or sick:`,
)
say(
  `20 hang, 10 answer 500, 5 drip a byte a second. ${EVENTS_PER_SECOND} events a second to all 100, then a burst of ${BURST} events.\n`,
)

await phase(false)
const p99Ratios: number[] = []
const throughputRatios: number[] = []
for (let pair = 0; pair < PAIRS; pair++) {
  const order = pair % 2 === 0 ? [false, true] : [true, false]
  const figures = new Map<boolean, Phase>()
  for (const sick of order) figures.set(sick, await phase(sick))
  const [calm, sick] = [figures.get(false), figures.get(true)]
  if (!calm || !sick) continue
  p99Ratios.push(sick.p99 / calm.p99)
  throughputRatios.push(sick.rate / calm.rate)
  say(
    `      calm p99 ${calm.p99.toFixed(0)} ms, burst ${Math.round(calm.rate)}/s; with sick neighbours p99 ${sick.p99.toFixed(0)} ms, burst ${Math.round(sick.rate)}/s`,
  )
}
verdict('p99 of the healthy with sick neighbours against calm, median of five pairs', median(p99Ratios), { atMost: 2 })
verdict('their throughput against calm, median of five pairs', median(throughputRatios), { atLeast: 0.9 })

await worker.kill('SIGKILL')
await rig.close()

interface Phase {
  p99: number
  /** Healthy deliveries a second during the burst. */
  rate: number
}

async function phase(sick: boolean): Promise<Phase> {
  const healthy = Array.from({ length: HEALTHY }, (_, i) => `${rig.receiver.url}/timed/${i}`)
  const others = sick
    ? Object.entries(SICK).flatMap(([kind, n]) =>
        Array.from({ length: n }, (_, i) => `${rig.receiver.url}/${kind}/${i}`),
      )
    : fill(35)
  const tenant = await createTenant(rig.services, [...healthy, ...others])
  await rig.receiver.ask('latencies')
  await openArrival(EVENTS_PER_SECOND, seconds, (n) => stageEvents(rig.services, tenant, 1, n))
  const latencies = await collect(EVENTS_PER_SECOND * seconds * HEALTHY)
  const started = performance.now()
  await stageEvents(rig.services, tenant, BURST, EVENTS_PER_SECOND * seconds)
  await collect(BURST * HEALTHY)
  const rate = (BURST * HEALTHY) / ((performance.now() - started) / 1000)
  await removeWebhooks(tenant)
  return { p99: percentile(latencies, 99), rate }
}

function fill(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${rig.receiver.url}/hooks/${i}`)
}

async function collect(expected: number): Promise<number[]> {
  const all: number[] = []
  while (all.length < expected) {
    await pause(20)
    const { latencies } = await rig.receiver.ask<{ latencies: number[] }>('latencies')
    for (const latency of latencies) all.push(latency)
  }
  return all
}

// The sick ones' retries would otherwise fall into the next phase.
async function removeWebhooks(tenant: TenantId): Promise<void> {
  await rig.services.run(async (system) => {
    const scope = system.tenant(tenant, { type: 'system' })
    const { data } = await listWebhooks(scope, { limit: 100, before: null })
    for (const { id } of data) await deleteWebhook(scope, parseId('webhook', id) ?? ('' as never))
  })
}
