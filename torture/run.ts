import { parseArgs } from 'node:util'
import { startOwnPostgres, type OwnPostgresServer } from '../src/testing/database/postgres.ts'
import { runAttackers } from './attackers/attackers.ts'
import { runClients } from './attackers/clients.ts'
import { CLUSTER_RUNS, createClusterDatabase } from './crashes/cluster.ts'
import { runDatabaseRestarts } from './crashes/database-restarts.ts'
import { runEndpoints } from './endpoints/endpoints.ts'
import { runErasures } from './jobs/erasures.ts'
import { runExports } from './jobs/exports.ts'
import { runKills } from './crashes/kills.ts'
import { runRateLimit } from './attackers/rate-limit.ts'
import { runSigterm } from './crashes/sigterm.ts'
import { runSendsByEach } from './jobs/sends.ts'
import { createRandom, type Given, type Verdict } from './verdict.ts'
import { runClocks, runPoison, runWorkers } from './crashes/workers.ts'

type Run = (given: Given & { postgres: OwnPostgresServer }) => Promise<Verdict>

const RUNS: Record<string, Run> = {
  kills: (given) => runKills(given, { kills: 100, everyMs: 1_500, deliveriesPerSecond: 200, endLeases: false }),
  'database-restarts': (given) =>
    runDatabaseRestarts(given, {
      restarts: 20,
      responsesPerSecond: 100,
      warmMs: 5_000,
      calmMs: 5_000,
      pauseMs: 8_000,
      timed: true,
      endLeases: false,
    }),
  sigterm: (given) => runSigterm(given, { rounds: 20, requestsPerSecond: 500, warmMs: 4_000, timed: true }),
  workers: (given) => runWorkers(given, { workers: 8, rows: 50_000 }),
  clocks: (given) => runClocks(given, { rows: 5_000, apartMs: 600_000, answerMs: 500 }),
  poison: (given) => runPoison(given, { events: 500, workers: 4 }),
  endpoints: (given) => runEndpoints(given, { tenants: 2, copies: 2, streamMs: 20_000, holdersToo: true, timed: true }),
  clients: (given) =>
    runClients(given, {
      slow: 2_000,
      uploads: 200,
      uploadsPerSecond: 50,
      pipelines: 40,
      requestsPerSecond: 100,
      warmMs: 15_000,
      phaseMs: 20_000,
      measured: true,
    }),
  attackers: (given) => runAttackers(given, { rounds: 2, atOnce: 6, every: 1, answers: 300, measured: true }),
  sends: (given) => runSendsByEach(given, { kills: 20, people: 50 }),
  erasures: (given) => runErasures(given, { kills: 20, people: 6, responses: 20 }),
  exports: (given) => runExports(given, { stores: ['filesystem', 's3'], kills: 120, runs: 3, rows: 1_000 }),
  'rate-limit': (given) => runRateLimit(given, { callers: 50, windows: 2 }),
}

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string', default: '1' } },
  allowPositionals: true,
})
const cluster = process.env['CLUSTER_DATABASE_URL']
const known = Object.keys(cluster ? CLUSTER_RUNS : RUNS)
const names = positionals.length > 0 ? positionals : known
const unknown = names.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  process.stderr.write(
    `There is no run called ${unknown.join(', ')}. There are: ${known.join(', ')}.` +
      `${cluster ? '' : ' With CLUSTER_DATABASE_URL there are those of a cluster.'}\n`,
  )
  process.exit(2)
}
for (const name of names) if (!(await passes(name))) process.exitCode = 1

async function passes(name: string): Promise<boolean> {
  const started = performance.now()
  const seconds = () => ((performance.now() - started) / 1000).toFixed(0)
  const given = {
    random: createRandom(Number(values.seed)),
    say: (line: string) => progress(`${name}  ${seconds()} s  ${line}`),
  }
  const verdict = await (cluster ? onCluster(cluster, name, given) : onOwnServer(name, given))
  progress('')
  process.stdout.write(
    `${verdict.broken.length === 0 ? 'ok  ' : 'FAIL'} ${name}, seed ${values.seed}, ${seconds()} s\n`,
  )
  for (const [fact, value] of Object.entries(verdict.facts)) process.stdout.write(`     ${fact}: ${value}\n`)
  for (const guarantee of verdict.broken) process.stdout.write(`     BROKEN ${guarantee}\n`)
  return verdict.broken.length === 0
}

async function onOwnServer(name: string, given: Omit<Given, 'databaseUrl'>): Promise<Verdict> {
  const postgres = await startOwnPostgres()
  try {
    return await (RUNS[name] as Run)({ databaseUrl: postgres.url('postgres'), postgres, ...given })
  } finally {
    await postgres.stop()
  }
}

async function onCluster(coordinator: string, name: string, given: Omit<Given, 'databaseUrl'>): Promise<Verdict> {
  const { url, drop } = await createClusterDatabase(coordinator)
  try {
    return await (CLUSTER_RUNS[name] as (typeof CLUSTER_RUNS)[string])({ databaseUrl: url, ...given })
  } finally {
    await drop()
  }
}

// One line that is written over; where there is no terminal, a line now and then would only be noise.
function progress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`)
}
