import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { serverAt, startOwnPostgres, type PostgresServer } from '../src/testing/database/postgres.ts'
import { end, install, launch, SURVEYS, type Installation } from './parts/installation.ts'
import { createApi } from './parts/load.ts'
import { between, cpuText, drained, startMeter, type Span } from './parts/meter.ts'
import { createOwnDatabase, type OwnDatabase } from './parts/own-database.ts'
import { cpuOf, cpuOfPostgres, memoryOf, monotonicMs } from './parts/processes.ts'
import { startRespondents } from './parts/respondents.ts'
import { machine, median, percentile, say, startReceiver, verdict } from './parts/rig.ts'

// A new installation as its user meets it: `npm start` on an empty database that nobody has tuned or analyzed.
const IN_FLIGHT = 32
const PER_SECOND = 200
const SAMPLE_MS = 500
const SPAN_MS = 10_000
// Submissions whose answer is under way, and the requests that a worker has open.
const BEHIND_AT_MOST = 2 * IN_FLIGHT + 64
// A session that is idle reports its last transactions after ten seconds.
const REPORTED_MS = 12_000
const STARTS = 5

const { values: options } = parseArgs({
  options: {
    part: { type: 'string', multiple: true, default: ['load', 'rate', 'rest', 'start', 'embedded'] },
    fsync: { type: 'string', multiple: true, default: ['on'] },
    seconds: { type: 'string', default: '90' },
  },
})
const seconds = Number(options.seconds)
const chosen = (...names: string[]) => names.some((name) => options.part.includes(name))

const receiver = await startReceiver()
const respondents = startRespondents()

say(
  `${machine()}; the product whole in one process as \`npm start\` runs it; client, receiver and database are processes of their own.`,
)
say(
  `One workspace, ${SURVEYS} surveys and a webhook for each: every submission makes one delivery. Nothing is analyzed by hand.\n`,
)

if (chosen('load', 'rate', 'rest', 'start')) {
  for (const fsync of options.fsync) await onServer(await startOwnPostgres([`fsync=${fsync}`]))
  const given = process.env['TEST_DATABASE_URL_15']
  if (given) await onServer(serverAt(given))
}
if (chosen('embedded')) await embedded()
respondents.close()
receiver.stop()

async function onServer(server: PostgresServer): Promise<void> {
  say(`${await describe(server)}\n`)
  const onEmptyDatabase = async (work: (database: OwnDatabase) => Promise<void>) => {
    const database = await createOwnDatabase(server)
    try {
      await work(database)
    } finally {
      await database.drop()
    }
  }
  if (chosen('load')) await onEmptyDatabase(load)
  if (chosen('rate', 'rest')) await onEmptyDatabase(rateAndRest)
  if (chosen('start')) await onEmptyDatabase(start)
  await server.stop()
}

async function describe(server: PostgresServer): Promise<string> {
  const outside = new pg.Client({ connectionString: server.url('postgres') })
  await outside.connect()
  const show = async (name: string) =>
    Object.values((await outside.query<Record<string, string>>(`show ${name}`)).rows[0] ?? {})[0]
  const line = `PostgreSQL ${await show('server_version')}, fsync ${await show('fsync')}, autovacuum every ${await show('autovacuum_naptime')}`
  await outside.end()
  return line
}

async function load(database: OwnDatabase): Promise<void> {
  const installed = await install(database, `${receiver.url}/hooks`)
  say(`full speed for ${seconds} s, ${IN_FLIGHT} submissions at a time`)
  const meter = await startMeter(installed, respondents, receiver)
  const first = await meter()
  const spans: Span[] = []
  let [last, behind, megabytes] = [first, 0, 0]
  respondents.begin({ url: installed.base, paths: installed.paths, pace: { inFlight: IN_FLIGHT } })
  while (spans.length * SPAN_MS < seconds * 1000) {
    await pause(SAMPLE_MS)
    const now = await meter()
    behind = Math.max(behind, now.accepted - now.delivered)
    megabytes = Math.max(megabytes, memoryOf(installed.product.pid))
    if (now.at - last.at < SPAN_MS) continue
    const span = between(last, now)
    spans.push(span)
    last = now
    say(
      `      ${String(spans.length * (SPAN_MS / 1000)).padStart(3)} s  accepted ${perSecond(span.accepted)}, delivered ${perSecond(span.delivered)}, ${now.accepted - now.delivered} behind; ${cpuText(span)}; ${memoryOf(installed.product.pid).toFixed(0)} MB`,
    )
  }
  await respondents.end()
  const end = await drained(meter)
  say(
    `      ${end.accepted} accepted, ${end.delivered} delivered ${((end.at - last.at) / 1000).toFixed(1)} s after the last span; autovacuum has analyzed ${await database.analyzed()}`,
  )
  const slowest = (of: (span: Span) => number) => Math.min(...spans.map(of)) / Math.max(...spans.map(of))
  verdict(
    'accepted in the slowest 10 s, of those in the best',
    slowest((span) => span.accepted),
    { atLeast: 0.9 },
  )
  verdict(
    'delivered in the slowest 10 s, of those in the best',
    slowest((span) => span.delivered),
    { atLeast: 0.9 },
  )
  verdict('deliveries behind submissions at most', behind, { atMost: BEHIND_AT_MOST }, 0)
  verdict('deliveries lost or made twice', Math.abs(end.accepted - end.delivered), { atMost: 0 }, 0)
  cpuVerdict(between(first, end), 550)
  verdict('resident memory of the product at most, MB', megabytes, { atMost: 220 }, 0)
  say('')
  await installed.close()
}

async function rateAndRest(database: OwnDatabase): Promise<void> {
  const installed = await install(database, `${receiver.url}/stamped`)
  const { span, latencies } = await rate(installed)
  verdict('p50 from submission to delivery, ms', percentile(latencies, 50), { atMost: 3 }, 1)
  verdict('p99 from submission to delivery, ms', percentile(latencies, 99), { atMost: 12 }, 1)
  cpuVerdict(span, 2_200)
  say('')
  if (chosen('rest')) {
    const idle = await rest(installed, database)
    verdict('transactions a second at rest', idle.transactions, { atMost: 3 }, 1)
    if (idle.database !== null)
      verdict('share of one core at rest, product and database, %', idle.product + idle.database, { atMost: 0.5 })
    say('')
  }
  await installed.close()
}

async function embedded(): Promise<void> {
  const installed = await install(null, `${receiver.url}/stamped`)
  say('the embedded database\n')
  const { latencies } = await rate(installed)
  say(`      p50 ${percentile(latencies, 50).toFixed(1)} ms, p99 ${percentile(latencies, 99).toFixed(1)} ms\n`)
  const idle = await rest(installed, null)
  verdict('share of one core at rest, %', idle.product, { atMost: 1 })
  verdict('resident memory at rest, MB', idle.megabytes, { atMost: 300 }, 0)
  say('')
  await installed.close()
}

async function rate(installed: Installation): Promise<{ span: Span; latencies: number[] }> {
  const forSeconds = Math.min(30, seconds)
  say(`${PER_SECOND} submissions a second for ${forSeconds} s`)
  const meter = await startMeter(installed, respondents, receiver)
  const before = await meter()
  await receiver.ask('latencies')
  respondents.begin({ url: installed.base, paths: installed.paths, pace: { perSecond: PER_SECOND } })
  await pause(forSeconds * 1000)
  await respondents.end()
  const after = await drained(meter)
  const { latencies } = await receiver.ask<{ latencies: number[] }>('latencies')
  const span = between(before, after)
  say(`      ${after.accepted} accepted, ${after.delivered} delivered; ${cpuText(span)}`)
  return { span, latencies }
}

interface Rest {
  transactions: number
  /** Percent of one core. */
  product: number
  database: number | null
  megabytes: number
}

async function rest({ product }: Installation, database: OwnDatabase | null): Promise<Rest> {
  await pause(REPORTED_MS)
  const read = async () => ({
    at: performance.now(),
    transactions: (await database?.transactions()) ?? Number.NaN,
    product: cpuOf(product.pid),
    database: database?.postmaster ? cpuOfPostgres(database.postmaster) : null,
  })
  const before = await read()
  await pause(Math.min(20, seconds) * 1000)
  const after = await read()
  const elapsed = (after.at - before.at) / 1000
  const idle = {
    transactions: (after.transactions - before.transactions) / elapsed,
    product: ((after.product - before.product) / elapsed) * 100,
    database:
      after.database === null || before.database === null ? null : ((after.database - before.database) / elapsed) * 100,
    megabytes: memoryOf(product.pid),
  }
  const shares = [
    `product ${idle.product.toFixed(2)} %`,
    ...(idle.database === null ? [] : [`database ${idle.database.toFixed(2)} %`]),
  ]
  say(`at rest for ${elapsed.toFixed(0)} s: ${shares.join(', ')} of one core; ${idle.megabytes.toFixed(0)} MB`)
  return idle
}

async function start(database: OwnDatabase): Promise<void> {
  const installed = await install(database, `${receiver.url}/hooks`, 'api')
  const [afterSpawn, afterReady]: [number[], number[]] = [[], []]
  say(`a worker that starts with ${SURVEYS} deliveries waiting, ${STARTS} times`)
  const api = createApi(installed.base)
  for (let n = 0; n < STARTS; n++) {
    for (const path of installed.paths) await api.post(path, { answers: { q1: 9 } })
    const { received } = await receiver.ask<{ received: number }>('received')
    await receiver.ask('first')
    const spawnedAt = monotonicMs()
    const worker = launch(installed.settings, 'worker')
    await worker.url
    const readyAt = monotonicMs()
    while ((await receiver.ask<{ received: number }>('received')).received < received + SURVEYS) await pause(20)
    const { firstAtMs } = await receiver.ask<{ firstAtMs: number }>('first')
    afterSpawn.push(firstAtMs - spawnedAt)
    afterReady.push(firstAtMs - readyAt)
    await end(worker)
  }
  await api.close()
  say(`      the first delivery ${median(afterSpawn).toFixed(0)} ms after the process was spawned`)
  verdict('the first delivery after the worker said that it runs, median, ms', median(afterReady), { atMost: 200 }, 0)
  say('')
  await installed.close()
}

function cpuVerdict({ cpu }: Span, atMost: number): void {
  if (!Number.isNaN(cpu.database))
    verdict('CPU of an event, product and database, µs', cpu.product + cpu.database, { atMost }, 0)
}

function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en')}/s`
}
