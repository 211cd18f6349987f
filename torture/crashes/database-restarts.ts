import { setTimeout as pause } from 'node:timers/promises'
import { parseId } from '../../src/platform/ids.ts'
import type { OwnPostgresServer } from '../../src/testing/database/postgres.ts'
import { drained, endLeases, judgeResponses, readLedger } from '../ledger.ts'
import { createClient, isAnswer, startLoad } from '../load.ts'
import { tally } from '../receiver.ts'
import { createRig, createWorkspace, submission, type Rig } from '../rig.ts'
import { createJudge, quantile, type Given, type Judge, type Verdict } from '../verdict.ts'

export interface RestartsSize {
  restarts: number
  responsesPerSecond: number
  /** Processes that have just started are slower, and catch up afterwards. */
  warmMs: number
  /** Without a fault, to know the throughput. */
  calmMs: number
  /** From a return to the next crash, at least. */
  pauseMs: number
  /** Whether times are judged: those of a machine that does other things too say nothing. */
  timed: boolean
  /** Ends leases of claims whose answer was lost, where 45 seconds are too long to wait. */
  endLeases: boolean
}

const WEBHOOKS = 2
const BACK_WITHIN_MS = 10_000
const SHARE = 0.95
// Throughput is counted in windows of this length.
const WINDOW_MS = 2_000
const PROBE_EVERY_MS = 100
// A session that had just begun to answer when its server was killed may still do so.
const DYING_MS = 100
// 2 s, and the way there and back.
const PROBE_MS = 2_500
const DRAIN_MS = 120_000

interface Outage {
  /** Nobody answers between these two. */
  goneAt: number
  returningAt: number
  backAt: number
}

interface Probe {
  at: number
  answeredAt: number
  status: number
}

/**
 * PostgreSQL crashes under load and comes back: nothing acknowledged is lost, and Earshot is itself again within
 * seconds.
 */
export async function runDatabaseRestarts(
  given: Given & { postgres: OwnPostgresServer },
  size: RestartsSize,
): Promise<Verdict> {
  const { databaseUrl, postgres, random, say } = given
  const rig = await createRig(databaseUrl)
  try {
    const judge = createJudge()
    const { process: api, url } = await rig.serve({ ROLE: 'api' })
    const worker = rig.start({ ROLE: 'worker' })
    await worker.url
    const hooks = Array.from({ length: WEBHOOKS }, (_, n) => rig.receiver.url(n))
    const workspace = await createWorkspace(url, hooks)

    const client = createClient()
    const acknowledged = new Map<string, number>()
    const load = startLoad(size.responsesPerSecond, async (n) => {
      const answer = await client.call('POST', `${url}${workspace.submitPath}`, { body: submission(n) })
      if (isAnswer(answer) && answer.status === 201) acknowledged.set(answer.body.id, Date.now())
    })
    const probes = startProbes(url)
    await pause(size.warmMs)
    const calmFrom = Date.now()
    await pause(size.calmMs)
    const calmTo = Date.now()

    const outages: Outage[] = []
    for (let n = 0; n < size.restarts; n++) {
      await postgres.crash(random() < 0.5 ? 'SIGQUIT' : 'SIGKILL')
      const goneAt = Date.now() + DYING_MS
      await pause(500 + random() * 2_500)
      const returningAt = Date.now()
      await postgres.restart()
      outages.push({ goneAt, returningAt, backAt: Date.now() })
      say(`restart ${n + 1} of ${size.restarts}, ${acknowledged.size} acknowledged`)
      // Long enough to see whether all is well again; the next crash comes at any moment after that.
      await pause(size.pauseMs * (1 + random() * 0.25))
    }
    await load.stop()
    await probes.stop()
    const drain = () => drained(rig, DRAIN_MS, (left) => say(`${left} rows to go`))
    if (!size.endLeases) await drain()
    for (const [name, process] of Object.entries({ 'the API process': api, 'the worker': worker })) {
      const ended = await Promise.race([process.exit, pause(50, null)])
      judge.must(`${name} never exits`, ended === null, JSON.stringify(ended))
    }
    await Promise.all([api.kill('SIGTERM'), worker.kill('SIGTERM')])
    await client.close()
    if (size.endLeases) {
      await endLeases(rig)
      rig.start({ ROLE: 'worker' })
      await drain()
    }

    await judgeResponses(rig, judge, acknowledged.keys(), WEBHOOKS)
    const deliveries = await judgeDelivered(rig, judge)
    judgeReadiness(judge, probes.taken, outages, size)
    const captures = [...acknowledged.values()]
    judgeRecovery(judge, outages, size, [
      { name: 'captures', times: captures, calm: Math.min(rate(captures, calmFrom, calmTo), size.responsesPerSecond) },
      {
        name: 'deliveries',
        times: deliveries,
        calm: Math.min(rate(deliveries, calmFrom, calmTo), size.responsesPerSecond * WEBHOOKS),
      },
    ])
    judge.fact('restarts', outages.length)
    judge.fact('acknowledged', acknowledged.size)
    return judge.verdict()
  } finally {
    await rig.stop()
  }
}

/** Returns when each request arrived. */
async function judgeDelivered(rig: Rig, judge: Judge): Promise<number[]> {
  const ledger = await readLedger(rig)
  const log = await rig.receiver.log()
  const seen = tally(log, (id) => parseId('delivery', id) ?? id)
  const unended = ledger.filter((row) => row.status !== 'delivered' || !seen.byId.has(row.id))
  judge.must('every row reaches the receiver and ends delivered', unended.length === 0, `${unended.length} did not`)
  judge.fact('deliveries', ledger.length)
  judge.fact('duplicates', seen.total - seen.byId.size)
  return log.map(({ at }) => at)
}

function judgeReadiness(judge: Judge, probes: Probe[], outages: Outage[], size: RestartsSize): void {
  const meanwhile = probes.filter((probe) =>
    outages.some(({ goneAt, returningAt }) => probe.at > goneAt && probe.answeredAt < returningAt),
  )
  const lying = meanwhile.filter((probe) => probe.status !== 503)
  judge.must(
    'readiness is 503 while the database is away',
    lying.length === 0,
    `${lying.length} probes said ${lying[0]?.status}`,
  )
  const late = probes.filter((probe) => probe.answeredAt - probe.at > PROBE_MS)
  judge.must('readiness answers within 2 s', !size.timed || late.length === 0, `${late.length} did not`)
  judge.fact('probes during outages', meanwhile.length)
}

interface Throughput {
  name: string
  times: number[]
  /** A second, before the first crash. */
  calm: number
}

function judgeRecovery(judge: Judge, outages: Outage[], size: RestartsSize, throughputs: Throughput[]): void {
  const recoveries = outages.map(({ backAt }, n) => recovery(backAt, outages[n + 1]?.goneAt ?? Infinity, throughputs))
  const slow = recoveries.filter((ms) => ms === null || ms > BACK_WITHIN_MS)
  judge.must(
    '95 % of the throughput within 10 s of its return',
    !size.timed || slow.length === 0,
    `${slow.length} of ${outages.length} restarts were slower`,
  )
  for (const { name, calm } of throughputs) judge.fact(`${name} a second before`, Math.round(calm))
  const known = recoveries.filter((ms) => ms !== null)
  judge.fact(
    'recovery, median and slowest',
    `${(quantile(known, 0.5) / 1000).toFixed(1)} and ${(quantile(known, 1) / 1000).toFixed(1)} s`,
  )
}

/**
 * Milliseconds from the database's return to the start of the first window with all throughputs; null when there was
 * none before the next crash.
 */
function recovery(from: number, to: number, throughputs: Throughput[]): number | null {
  for (let at = from; at + WINDOW_MS <= Math.min(to, from + BACK_WITHIN_MS + WINDOW_MS); at += 100) {
    if (throughputs.every(({ times, calm }) => rate(times, at, at + WINDOW_MS) >= SHARE * calm)) return at - from
  }
  return null
}

function rate(times: number[], from: number, to: number): number {
  return times.filter((at) => at >= from && at < to).length / ((to - from) / 1000)
}

function startProbes(url: string): { taken: Probe[]; stop(): Promise<void> } {
  const taken: Probe[] = []
  const client = createClient()
  const probe = async () => {
    const at = Date.now()
    const answer = await client.call('GET', `${url}/health/ready`)
    taken.push({ at, answeredAt: Date.now(), status: isAnswer(answer) ? answer.status : 0 })
  }
  const load = startLoad(1_000 / PROBE_EVERY_MS, probe)
  return {
    taken,
    async stop() {
      await load.stop()
      await client.close()
    },
  }
}
