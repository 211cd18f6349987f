import { parseArgs } from 'node:util'
import { Registry } from 'prom-client'
import { createDeliveryEngine } from '../src/features/delivery/webhooks/engine/delivery-engine.ts'
import type { TenantId } from '../src/platform/ids.ts'
import { runGraphileWorker, runPgBoss } from './parts/peers.ts'
import {
  countUndelivered,
  cpuSeconds,
  createTenant,
  dispatchAlone,
  ENDPOINTS,
  IN_FLIGHT,
  machine,
  openRig,
  say,
  stageEvents,
  verdict,
  type Rig,
} from './parts/rig.ts'

// Deliveries end to end (claimed under row level security, rendered, signed, posted through the guard, recorded
// with their attempts) against what Pool.dispatch alone posts to the same receiver.
const TENANTS = 1_000
const WARM_ROWS = 20_000
const PEER_ROWS = 20_000

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    part: { type: 'string', multiple: true, default: ['backlog', 'tenants', 'peers', 'embedded'] },
  },
})
const seconds = Number(options.seconds)
const parts: Record<string, () => Promise<void>> = { backlog, tenants, peers, embedded }

say(
  `${machine()}; receiver in a process of its own on node:http; PostgreSQL over a Unix socket, a pool of 20, pipelined; one worker.\n`,
)
for (const name of options.part) await parts[name]?.()

async function backlog(): Promise<void> {
  const rig = await openRig()
  const tenant = await createTenant(rig.services, endpointUrls(rig))
  await stageEvents(rig.services, tenant, WARM_ROWS / ENDPOINTS)
  const warm = await drain(rig, WARM_ROWS)
  const rows = Math.ceil((warm.rate * seconds * 1.1) / ENDPOINTS) * ENDPOINTS
  const staging = performance.now()
  await stageEvents(rig.services, tenant, rows / ENDPOINTS, WARM_ROWS / ENDPOINTS)
  const staged = rows / ((performance.now() - staging) / 1000)
  const before = await dispatchAlone(rig.receiver.url, 5)
  const cpuBefore = cpuSeconds(rig)
  const run = await drain(rig, rows)
  const cpu = cpuEach(rig, cpuBefore, rows)
  const after = await dispatchAlone(rig.receiver.url, 5)
  const raw = (before + after) / 2
  say(`backlog of ${rows.toLocaleString('en')} rows, ${ENDPOINTS} endpoints of one tenant`)
  say(
    `      Pool.dispatch alone ${Math.round(before)} and ${Math.round(after)} requests/s, before and after (${IN_FLIGHT} in flight)`,
  )
  say(`      staging ${Math.round(staged)} rows/s through stageEvent`)
  say(`      Earshot ${Math.round(run.rate)} deliveries/s over ${run.elapsed.toFixed(0)} s; CPU of each: ${cpu}`)
  verdict('of Pool.dispatch alone', run.rate / raw, { atLeast: 0.26 }, 3)
  verdict('the last sixth of the time against the first', run.flatness, { atLeast: 0.9 })
  say('')
  await rig.close()
}

async function tenants(): Promise<void> {
  const rig = await openRig()
  const all: TenantId[] = []
  for (let i = 0; i < TENANTS; i++) all.push(await createTenant(rig.services, [`${rig.receiver.url}/hooks/${i}`]))
  const stageTen = async (from: number) => {
    for (const tenant of all) await stageEvents(rig.services, tenant, 10, from)
  }
  // Once before it counts, as for the backlog: the code is compiled and the connections have prepared their statements.
  await stageTen(0)
  await drain(rig, TENANTS * 10)
  await stageTen(10)
  const before = await dispatchAlone(rig.receiver.url, 5)
  const cpuBefore = cpuSeconds(rig)
  const run = await drain(rig, TENANTS * 10)
  const cpu = cpuEach(rig, cpuBefore, TENANTS * 10)
  const after = await dispatchAlone(rig.receiver.url, 5)
  const raw = (before + after) / 2
  say(`${TENANTS.toLocaleString('en')} tenants with 10 due rows each`)
  say(
    `      Earshot ${Math.round(run.rate)} deliveries/s; CPU of each: ${cpu}; Pool.dispatch alone ${Math.round(before)} and ${Math.round(after)} requests/s`,
  )
  verdict('of Pool.dispatch alone', run.rate / raw, { atLeast: 0.15 }, 3)
  say('')
  await rig.close()
}

async function peers(): Promise<void> {
  const rig = await openRig()
  const boss = await runPgBoss(rig, PEER_ROWS)
  const graphile = await runGraphileWorker(rig, PEER_ROWS)
  const tenant = await createTenant(rig.services, endpointUrls(rig))
  await stageEvents(rig.services, tenant, PEER_ROWS / ENDPOINTS)
  const { rate } = await drain(rig, PEER_ROWS)
  await rig.close()
  say(`peers in the place of Earshot's queue, ${PEER_ROWS.toLocaleString('en')} rows waiting`)
  say(
    `      pg-boss ${Math.round(boss)}/s, graphile-worker ${Math.round(graphile)}/s, Earshot ${Math.round(rate)}/s, ${(rate / Math.max(boss, graphile)).toFixed(2)} of the better`,
  )
  say('')
}

async function embedded(): Promise<void> {
  const rig = await openRig('embedded')
  const raw = await dispatchAlone(rig.receiver.url, 5)
  const tenant = await createTenant(rig.services, endpointUrls(rig))
  await stageEvents(rig.services, tenant, 100)
  const run = await drain(rig, 100 * ENDPOINTS)
  say(
    `the embedded database, ${(100 * ENDPOINTS).toLocaleString('en')} rows: ${Math.round(run.rate)} deliveries/s, ${(run.rate / raw).toFixed(3)} of Pool.dispatch alone`,
  )
  await rig.close()
}

function cpuEach(rig: Rig, before: ReturnType<typeof cpuSeconds>, rows: number): string {
  const now = cpuSeconds(rig)
  const each = (part: 'worker' | 'postgres' | 'receiver') =>
    `${part} ${(((now[part] - before[part]) / rows) * 1e6).toFixed(0)} µs`
  return `${each('worker')}, ${each('postgres')}, ${each('receiver')}`
}

function endpointUrls(rig: Rig): string[] {
  return Array.from({ length: ENDPOINTS }, (_, i) => `${rig.receiver.url}/hooks/${i}`)
}

interface Drained {
  rate: number
  elapsed: number
  /** Deliveries of the last sixth of the time against those of the first. */
  flatness: number
}

async function drain(rig: Rig, rows: number): Promise<Drained> {
  const { run, clock, log, settings } = rig.services
  const engine = createDeliveryEngine({ run, clock, log, settings, metrics: new Registry() })
  const start = (await rig.receiver.ask<{ received: number }>('received')).received
  const samples: Array<{ at: number; done: number }> = [{ at: performance.now(), done: 0 }]
  const timer = setInterval(() => {
    void rig.receiver.ask<{ received: number }>('received').then(({ received }) => {
      samples.push({ at: performance.now(), done: received - start })
      if (process.stdout.isTTY) process.stdout.write(`\r      ${received - start} of ${rows} `)
    })
  }, 500)
  await engine.sweep()
  await engine.idle()
  clearInterval(timer)
  const end = { at: performance.now(), done: rows }
  if (process.stdout.isTTY) process.stdout.write('\r')
  await engine.stop()
  const left = await countUndelivered(rig.services)
  if (left > 0) throw new Error(`${left} of ${rows} rows were not delivered`)
  const first = samples[0] ?? end
  const elapsed = end.at - first.at
  const doneAt = (at: number) => samples.findLast((sample) => sample.at <= at) ?? first
  const rateBetween = (a: { at: number; done: number }, b: { at: number; done: number }) =>
    (b.done - a.done) / (b.at - a.at)
  const early = doneAt(first.at + elapsed / 6)
  const late = doneAt(end.at - elapsed / 6)
  return {
    rate: rows / (elapsed / 1000),
    elapsed: elapsed / 1000,
    flatness: rateBetween(late, end) / rateBetween(first, early),
  }
}
