import { setTimeout as pause } from 'node:timers/promises'
import { parseId } from '../../src/platform/ids.ts'
import type { TestProcess } from '../../src/testing/process.ts'
import { drained, endLeases, judgeResponses, readLeases, readLedger, type LedgerRow } from '../ledger.ts'
import { createClient, isAnswer, startLoad, until } from '../load.ts'
import { tally } from '../receiver.ts'
import { createRig, createWorkspace, submission, type Rig } from '../rig.ts'
import { createJudge, type Given, type Judge, type Verdict } from '../verdict.ts'

export interface KillsSize {
  kills: number
  /** Mean; each is half to one and a half of it. */
  everyMs: number
  deliveriesPerSecond: number
  /** Ends the leases of dead workers before their time, where 45 seconds are too long to wait. */
  endLeases: boolean
}

const WEBHOOKS = 2
const ROLES = ['all', 'all', 'api', 'worker'] as const
// The receiver takes this long, so that a kill meets requests in flight.
const ANSWER_MS = 30
const STUCK_MS = 60_000
// The default of LEASE_SECONDS.
const LEASE_MS = 45_000
// By so much a process that has just started may misjudge the database's time.
const CLOCK_MS = 1_000
// PostgreSQL carries out what a process had sent before its death.
const LATE_MS = 300

interface Slot {
  /** `all` stages fresh rows with its own lease and sends them without a claim. */
  role: 'api' | 'worker' | 'all'
  process: TestProcess
  /** Null while it starts. */
  url: string | null
}

interface Kill {
  role: Slot['role']
  at: number
  /** Rows under a lease just after the death, with its end. */
  leases: Map<string, number>
}

/**
 * SIGKILLs of workers and API processes at any moment: nothing committed is lost, and only what was in flight is sent
 * again.
 */
export async function runKills({ databaseUrl, random, say }: Given, size: KillsSize): Promise<Verdict> {
  const rig = await createRig(databaseUrl)
  try {
    const judge = createJudge()
    const roles: Slot['role'][] = ['all', 'all', 'api', 'worker', 'worker']
    const first = await rig.serve({ ROLE: 'all' })
    const workspace = await createWorkspace(
      first.url,
      Array.from({ length: WEBHOOKS }, (_, n) => rig.receiver.url(n, ANSWER_MS)),
    )
    const slots = roles.map((role, n): Slot => (n === 0 ? { role, ...first } : launch(rig, role)))
    await until(() => slots.every((slot) => slot.url !== null), STUCK_MS)

    const client = createClient({ timeoutMs: 10_000 })
    const acknowledged = new Set<string>()
    let unanswered = 0
    const load = startLoad(size.deliveriesPerSecond / WEBHOOKS, async (n) => {
      // As a load balancer would: a process that takes no connection has not read the request, so the next one gets it.
      for (const slot of turns(slots, n)) {
        const answer = await client.call('POST', `${slot.url}${workspace.submitPath}`, { body: submission(n) })
        if (!isAnswer(answer) && answer.code === 'ECONNREFUSED') continue
        if (isAnswer(answer) && answer.status === 201) return void acknowledged.add(answer.body.id)
        break
      }
      unanswered += 1
    })

    const began = performance.now()
    const kills: Kill[] = []
    for (let n = 0; n < size.kills; n++) {
      await pause(size.everyMs * (0.5 + random()))
      const role = ROLES[Math.floor(random() * ROLES.length)] ?? 'all'
      const candidates = slots.filter((slot) => slot.role === role)
      const slot = candidates[Math.floor(random() * candidates.length)] as Slot
      await slot.process.kill('SIGKILL')
      kills.push(await noteKill(rig, role))
      slots[slots.indexOf(slot)] = launch(rig, role)
      say(`kill ${n + 1} of ${size.kills}, ${acknowledged.size} acknowledged`)
    }
    await load.stop()
    const seconds = (performance.now() - began) / 1000
    await until(() => slots.every((slot) => slot.url !== null), STUCK_MS)
    const leasesEndedAt = size.endLeases ? await restartWorkers(rig, slots) : Infinity
    const empty = await drained(rig, STUCK_MS * 2, (left) => say(`${left} rows to go`))
    await Promise.all(slots.map((slot) => slot.process.kill('SIGTERM')))
    await client.close()

    await judgeResponses(rig, judge, acknowledged, WEBHOOKS)
    judge.must('every row ends delivered', empty)
    await judgeDeliveries(rig, judge, kills, leasesEndedAt)
    const killed = (role: Slot['role']) => kills.filter((kill) => kill.role === role).length
    judge.fact(
      'kills',
      `${killed('worker')} of workers, ${killed('api')} of API processes, ${killed('all')} of processes that are both`,
    )
    judge.fact('acknowledged', acknowledged.size)
    judge.fact('unanswered', unanswered)
    judge.fact('seconds of load', Math.round(seconds))
    return judge.verdict()
  } finally {
    await rig.stop()
  }
}

function turns(slots: Slot[], n: number): Slot[] {
  const alive = slots.filter((slot) => slot.role !== 'worker' && slot.url !== null)
  return alive.map((_, i) => alive[(n + i) % alive.length] as Slot)
}

function launch(rig: Rig, role: Slot['role']): Slot {
  const process = rig.start({ ROLE: role })
  const slot: Slot = { role, process, url: null }
  process.url.then(
    (url) => (slot.url = url),
    () => {},
  )
  return slot
}

async function noteKill(rig: Rig, role: Slot['role']): Promise<Kill> {
  const at = Date.now()
  const leases = await readLeases(rig)
  await pause(LATE_MS)
  for (const [id, until] of await readLeases(rig)) if (until - LEASE_MS <= at + CLOCK_MS) leases.set(id, until)
  return { role, at, leases }
}

interface DeadLease {
  id: string
  /** The first kill that met it. */
  killedAt: number
  endedAt: number
}

/** Leases that a death left: under them nothing was ever recorded. */
function deadLeases(kills: Kill[], ledger: LedgerRow[], leasesEndedAt: number): DeadLease[] {
  const deliveredAt = new Map(ledger.map((row) => [row.id, row.deliveredAt ?? Infinity]))
  const found = new Map<string, DeadLease>()
  for (const { role, at, leases } of kills) {
    if (role === 'api') continue
    for (const [id, until] of leases) {
      const endedAt = Math.min(until, leasesEndedAt)
      const key = `${id} ${until}`
      if ((deliveredAt.get(id) ?? Infinity) >= endedAt && !found.has(key)) found.set(key, { id, killedAt: at, endedAt })
    }
  }
  return [...found.values()]
}

async function judgeDeliveries(rig: Rig, judge: Judge, kills: Kill[], leasesEndedAt: number): Promise<void> {
  const ledger = await readLedger(rig)
  const seen = tally(await rig.receiver.log(), (id) => parseId('delivery', id) ?? id)
  const unseen = ledger.filter((row) => !seen.byId.has(row.id))
  judge.must('every row reached the receiver', unseen.length === 0, `${unseen.length} did not`)

  const dead = deadLeases(kills, ledger, leasesEndedAt)
  // Nobody else may send a row before its lease ends, so the process that sent it before then is the one that died.
  const inFlight = dead.filter(({ id, endedAt }) =>
    seen.byId.get(id)?.at.some((at) => at < endedAt && at > endedAt - LEASE_MS - CLOCK_MS),
  )
  const allowed = new Map<string, number>()
  for (const { id } of inFlight) allowed.set(id, (allowed.get(id) ?? 0) + 1)
  const repeated = [...seen.byId].filter(([, { at }]) => at.length > 1)
  const unexplained = repeated.filter(([id, { at }]) => at.length - 1 > (allowed.get(id) ?? 0))
  const repeats = seen.total - seen.byId.size
  judge.must(
    'duplicates are at most the requests in flight at the kills',
    repeats <= inFlight.length,
    `${repeats} of ${inFlight.length}`,
  )
  judge.must('each duplicate was in flight at a kill', unexplained.length === 0, `${unexplained.length} were not`)
  const changed = repeated.filter(([, { hashes }]) => hashes.size > 1)
  judge.must('a duplicate has the same id and body', changed.length === 0, `${changed.length} differ`)

  const lastFaults = new Map(dead.map(({ id, killedAt }) => [id, killedAt]))
  const waits = ledger.map((row) => (row.deliveredAt ?? Infinity) - (lastFaults.get(row.id) ?? row.createdAt))
  const longest = waits.reduce((most, wait) => Math.max(most, wait), 0)
  judge.must('none is stuck past 60 s', longest <= STUCK_MS, `${Math.round(longest / 1000)} s`)
  judge.fact('deliveries', ledger.length)
  judge.fact('in flight at kills of those that deliver', inFlight.length)
  judge.fact('duplicates of these', repeats)
  judge.fact('longest wait after the last fault', `${(longest / 1000).toFixed(1)} s`)
}

// Returns when: a worker that died before would have to be waited for.
async function restartWorkers(rig: Rig, slots: Slot[]): Promise<number> {
  const workers = slots.filter((slot) => slot.role !== 'api')
  await Promise.all(workers.map((slot) => slot.process.kill('SIGTERM')))
  await endLeases(rig)
  const at = Date.now()
  for (const worker of workers) slots[slots.indexOf(worker)] = launch(rig, worker.role)
  return at
}
