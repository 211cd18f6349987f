import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { parseId } from '../../src/platform/ids.ts'
import { drained, judgeResponses, readLedger } from '../ledger.ts'
import { createClient, isAnswer, startLoad } from '../load.ts'
import { tally } from '../receiver.ts'
import { createRig, createWorkspace, submission, type Rig, type Workspace } from '../rig.ts'
import { createJudge, quantile, type Given, type Judge, type Verdict } from '../verdict.ts'

export interface NodeDeathSize {
  rounds: number
  responsesPerSecond: number
  awayMs: number
  /** From a return to the next death, at least. */
  pauseMs: number
}

/** A worker node of the cluster, and how this machine ends and starts it. */
export interface MortalNode {
  /** As the coordinator knows it: `host:port`. */
  name: string
  kill: string
  start: string
}

const WEBHOOKS = 1
const OF_EACH = 3
const MAKE_AT_MOST = 40
const BACK_WITHIN_MS = 10_000
const LIVING_WAIT_MS = 5_000
const LEASE_MS = 45_000
const DRAIN_MS = 120_000

interface Tenant extends Workspace {
  mortal: boolean
  tenantId: string
}

interface Outage {
  goneAt: number
  backAt: number
}

interface Call {
  at: number
  answeredAt: number
  mortal: boolean
  status: number
}

/**
 * A worker node dies and returns under load: its tenants wait, the others notice nothing, and nothing acknowledged is
 * lost.
 */
export async function runNodeDeath(
  { databaseUrl, node, random, say }: Given & { node: MortalNode },
  size: NodeDeathSize,
): Promise<Verdict> {
  const rig = await createRig(databaseUrl)
  try {
    const judge = createJudge()
    const { url } = await rig.serve({ ROLE: 'all' })
    const worker = rig.start({ ROLE: 'worker' })
    await worker.url
    const tenants = await makeTenants(rig, url, node)
    const client = createClient()
    const acknowledged = new Set<string>()
    const calls: Call[] = []
    const degraded = new Set<number>()
    const load = startLoad(size.responsesPerSecond, async (n) => {
      const { submitPath, mortal } = tenants[n % tenants.length] as Tenant
      const at = Date.now()
      const answer = await client.call('POST', `${url}${submitPath}`, { body: submission(n) })
      const status = isAnswer(answer) ? answer.status : 0
      calls.push({ at, answeredAt: Date.now(), mortal, status })
      if (isAnswer(answer) && status === 201) acknowledged.add(answer.body.id)
    })
    const probes = startLoad(2, async () => {
      const answer = await client.call('GET', `${url}/health/ready`)
      if (isAnswer(answer) && answer.status === 200 && answer.body.db === 'degraded') degraded.add(Date.now())
      judge.must('readiness stays 200', isAnswer(answer) && answer.status === 200)
    })
    await pause(size.pauseMs)
    const outages: Outage[] = []
    for (let n = 0; n < size.rounds; n++) {
      const goneAt = Date.now()
      run(node.kill)
      await pause(size.awayMs * (0.75 + random() / 2))
      run(node.start)
      outages.push({ goneAt, backAt: Date.now() })
      say(`death ${n + 1} of ${size.rounds}, ${acknowledged.size} acknowledged`)
      await pause(size.pauseMs)
    }
    await load.stop()
    await probes.stop()
    const empty = await drained(rig, DRAIN_MS, (left) => say(`${left} rows to go`))
    judge.must('every row ends delivered', empty)
    await judgeResponses(rig, judge, acknowledged, WEBHOOKS)
    judgeCalls(judge, calls, outages)
    await judgeDeliveries(rig, judge, tenants, outages)
    const told = outages.filter(({ goneAt, backAt }) => [...degraded].some((at) => at > goneAt && at < backAt))
    judge.must('readiness says degraded while the node is away', told.length === outages.length, told.length)
    judge.fact('deaths', outages.length)
    judge.fact('acknowledged', acknowledged.size)
    await client.close()
    return judge.verdict()
  } finally {
    await rig.stop()
  }
}

function run(command: string): void {
  execFileSync('/bin/sh', ['-c', command], { stdio: 'ignore' })
}

/** Some tenants on the node that dies, and as many on others. */
async function makeTenants(rig: Rig, url: string, node: MortalNode): Promise<Tenant[]> {
  const tenants: Tenant[] = []
  for (let n = 0; n < MAKE_AT_MOST; n++) {
    const workspace = await createWorkspace(url, [rig.receiver.url(n)])
    const id = parseId('survey', workspace.surveyPath.split('/').at(-1) ?? '')
    const [row] = await rig.look<{ tenant_id: string; node: string }>(
      `select d.tenant_id, p.nodename || ':' || p.nodeport as node from directory d
       join pg_dist_shard_placement p on p.shardid = get_shard_id_for_distribution_column('workspaces', d.tenant_id)
       where d.kind = 'survey' and d.key = $1`,
      [id],
    )
    const mortal = row?.node === node.name
    if (row && tenants.filter((tenant) => tenant.mortal === mortal).length < OF_EACH)
      tenants.push({ ...workspace, mortal, tenantId: row.tenant_id })
    if (tenants.length === 2 * OF_EACH) return tenants
  }
  throw new Error(`no ${OF_EACH} tenants on ${node.name} and as many elsewhere: is it the name of a worker node?`)
}

function judgeCalls(judge: Judge, calls: Call[], outages: Outage[]): void {
  const living = calls.filter((call) => !call.mortal)
  const refused = living.filter((call) => call.status !== 201)
  judge.must(
    'tenants of living nodes are served throughout',
    refused.length === 0,
    `${refused.length} of ${living.length} were not`,
  )
  const mortal = calls.filter((call) => call.mortal)
  const wrong = mortal.filter((call) => ![201, 503].includes(call.status))
  judge.must('tenants of the dead node get 503', wrong.length === 0, `${wrong.length} got ${wrong[0]?.status}`)
  const recoveries = outages.map(({ backAt }, n) => {
    const next = outages[n + 1]?.goneAt ?? Infinity
    const failures = mortal.filter((call) => call.at >= backAt && call.answeredAt < next && call.status !== 201)
    return Math.max(0, ...failures.map((call) => call.at - backAt))
  })
  const slow = recoveries.filter((ms) => ms > BACK_WITHIN_MS)
  judge.must('normal within 10 s of its return', slow.length === 0, `${slow.length} of ${outages.length} were slower`)
  judge.fact('captures for living nodes', living.length)
  judge.fact('refused meanwhile for the dead node', mortal.filter((call) => call.status === 503).length)
  judge.fact('recovery, median and slowest', `${quantile(recoveries, 0.5)} and ${quantile(recoveries, 1)} ms`)
}

async function judgeDeliveries(rig: Rig, judge: Judge, tenants: Tenant[], outages: Outage[]): Promise<void> {
  const ledger = await readLedger(rig)
  const seen = tally(await rig.receiver.log(), (id) => parseId('delivery', id) ?? id)
  const unseen = ledger.filter((row) => !seen.byId.has(row.id))
  judge.must('every row reached the receiver', unseen.length === 0, `${unseen.length} did not`)
  const owners = await rig.look<{ id: string; tenant_id: string }>('select id, tenant_id from webhook_deliveries')
  const mortal = new Set(tenants.filter((tenant) => tenant.mortal).map((tenant) => tenant.tenantId))
  const onMortal = new Set(owners.filter((row) => mortal.has(row.tenant_id)).map((row) => row.id))
  const waits = ledger
    .filter((row) => !onMortal.has(row.id))
    .map((row) => (seen.byId.get(row.id)?.at[0] ?? Infinity) - row.createdAt)
  judge.must(
    'deliveries of living nodes go on',
    quantile(waits, 1) <= LIVING_WAIT_MS,
    `one waited ${quantile(waits, 1)} ms`,
  )
  const repeated = [...seen.byId].filter(([, { at }]) => at.length > 1)
  // Sent, and not yet recorded when its node died: its first request came within a lease of that death.
  const inFlight = repeated.filter(
    ([
      id,
      {
        at: [first = 0],
      },
    ]) => onMortal.has(id) && outages.some(({ goneAt, backAt }) => first > goneAt - LEASE_MS && first < backAt),
  )
  judge.must(
    'only what was in flight at a death is repeated',
    inFlight.length === repeated.length,
    `${repeated.length - inFlight.length} of ${repeated.length} were not`,
  )
  judge.fact('deliveries', ledger.length)
  judge.fact('repeats', seen.total - seen.byId.size)
  judge.fact('longest wait on living nodes', `${quantile(waits, 1)} ms`)
}
