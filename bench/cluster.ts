import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { parseArgs } from 'node:util'
import { createOnNodes, databaseAt, dropOnNodes, listNodes } from '../src/testing/database/databases.ts'
import { install } from './parts/installation.ts'
import { cpuOfPostgres } from './parts/processes.ts'
import { between, cpuText, drained, startMeter, type Span } from './parts/meter.ts'
import { startRespondents } from './parts/respondents.ts'
import { machine, median, say, startReceiver } from './parts/rig.ts'

// Submissions and their deliveries on a Citus cluster, beside a database of the coordinator's own server that is not
// distributed: the same machine, version and settings. The two take turns.
const IN_FLIGHT = 32
const WARM_MS = 5_000

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '15' }, rounds: { type: 'string', default: '3' } },
})
const coordinator = process.env['CLUSTER_DATABASE_URL']
if (!coordinator) {
  process.stderr.write(
    `Set CLUSTER_DATABASE_URL to a superuser's URL of the coordinator (docs/scaling.md, "Test a cluster").\n`,
  )
  process.exit(1)
}
const nodes = await listNodes(coordinator)
// Of servers on this machine. Those of others are 0.
const postmasters = await Promise.all(nodes.map(postmasterOf))
const receiver = await startReceiver()
const respondents = startRespondents()

say(`${machine()}; ${nodes.length} nodes, client, receiver and product share it; ${IN_FLIGHT} submissions at a time.\n`)
const spans = { plain: [] as Span[], cluster: [] as Span[] }
for (let round = 1; round <= Number(options.rounds); round++) {
  spans.plain.push(await on('plain', nodes.slice(0, 1)))
  spans.cluster.push(await on('cluster', nodes))
}
const of = (part: 'accepted' | 'delivered') => {
  const [plain, cluster] = [spans.plain, spans.cluster].map((all) => median(all.map((span) => span[part])))
  return `${part} a second: plain ${plain?.toFixed(0)}, cluster ${cluster?.toFixed(0)}`
}
say(`\nmedians  ${of('accepted')}; ${of('delivered')}`)
respondents.close()
receiver.stop()

async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>(
    `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid`,
  )
  await client.end()
  return rows[0]?.pid ?? 0
}

async function on(name: keyof typeof spans, urls: string[]): Promise<Span> {
  const database = `earshot_bench_${process.pid}_${name}`
  await createOnNodes(urls, database, 'template0')
  const url = databaseAt(urls[0] ?? '', database)
  try {
    return await load(name, url)
  } finally {
    await dropOnNodes(urls, database)
  }
}

async function load(name: string, url: string): Promise<Span> {
  const installed = await install({ url, postmaster: null }, `${receiver.url}/hooks`)
  try {
    const meter = await startMeter(installed, respondents, receiver)
    respondents.begin({ url: installed.base, paths: installed.paths, pace: { inFlight: IN_FLIGHT } })
    await pause(WARM_MS)
    const [before, spentBefore] = [await meter(), postmasters.map(cpuOfPostgres)]
    await pause(Number(options.seconds) * 1000)
    const [after, spentAfter] = [await meter(), postmasters.map(cpuOfPostgres)]
    await respondents.end()
    const end = await drained(meter)
    const span = between(before, after)
    const lost = end.accepted - end.delivered
    const ofNodes = spentAfter.map((spent, at) => {
      const each = ((spent - (spentBefore[at] ?? 0)) / (after.delivered - before.delivered)) * 1e6
      return `${at === 0 ? 'coordinator' : `node ${at}`} ${each.toFixed(0)} µs`
    })
    say(
      `${name.padEnd(8)} accepted ${span.accepted.toFixed(0)}/s, delivered ${span.delivered.toFixed(0)}/s, lost or twice ${lost}; ${cpuText(span)}; ${ofNodes.join(', ')}`,
    )
    return span
  } finally {
    await installed.close()
  }
}
