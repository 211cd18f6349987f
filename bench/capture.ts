import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { parseId } from '../src/platform/ids.ts'
import { startOwnPostgres } from '../src/testing/database/postgres.ts'
import { startProcess } from '../src/testing/process.ts'
import { cpuOf, cpuOfPostgres, parentOf } from './parts/processes.ts'

const TARGET = 0.85
const POOL_SIZE = 20

/** Microseconds of CPU for each submission. */
interface Cost {
  server: number
  postgres: number
  clients: number
}

const { values: options } = parseArgs({
  options: {
    clients: { type: 'string', default: '32' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    top: { type: 'boolean', default: false },
    profile: { type: 'string', default: '' },
  },
})
const [clients, seconds, rounds] = [Number(options.clients), Number(options.seconds), Number(options.rounds)]

// Room for the log, so that what a round writes does not slow the next.
const postgres = await startOwnPostgres([
  'fsync=off',
  'full_page_writes=off',
  'max_wal_size=4GB',
  'shared_preload_libraries=pg_stat_statements',
])
const url = postgres.url('postgres')
const earshot = startProcess({
  DATABASE_URL: url,
  DATABASE_POOL_SIZE: String(POOL_SIZE),
  SECRETS_KEY: 'a-key-for-a-bench-that-is-long-enough',
  ROLE: 'api',
  LOG_LEVEL: 'error',
  ...(options.profile && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${options.profile}` }),
})
process.on('exit', () => void earshot.kill('SIGTERM'))
const base = await earshot.url
const database = new pg.Client({ connectionString: url })
await database.connect()
const postmaster = parentOf((await database.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0)
await ready()

say(
  'Public submissions, each completed at once: validation, logic, two quotas, custom fields, the event and a delivery row for each of two webhooks.',
)
say('Beside it, a bare Hono route on the same HTTP server inserts the same rows in one pipelined transaction.')
say(
  `PostgreSQL over a Unix socket, pools of ${POOL_SIZE}; server, peer and ${clients} clients are processes of their own; ROLE=api, so nothing is delivered meanwhile.\n`,
)

const surveyId = await prepare()
const templates = await templatesOf(surveyId)
const bare = fork(new URL('parts/capture-bare.ts', import.meta.url), {
  stdio: 'inherit',
  env: { ...process.env, DATABASE_URL: url, POOL_SIZE: String(POOL_SIZE), TEMPLATES: JSON.stringify(templates) },
})
const { port } = await answerOf<{ port: number }>(bare)
const client = fork(new URL('parts/capture-client.ts', import.meta.url), { stdio: 'inherit' })
const ours = { url: base, path: `/public/surveys/${surveyId}/responses`, pid: earshot.pid }
const theirs = { url: `http://127.0.0.1:${port}`, path: '/responses', pid: bare.pid ?? 0 }
say(
  `rows of one submission  ${[...Map.groupBy(templates, ({ table }) => table)].map(([table, rows]) => `${rows.length} ${table}`).join(', ')}\n`,
)

await load(ours, 3)
await load(theirs, 1)
if (options.top)
  await database.query('create extension if not exists pg_stat_statements; select pg_stat_statements_reset()')
const rates: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] }
const costs: { ours: Cost[]; theirs: Cost[] } = { ours: [], theirs: [] }
for (let round = 1; round <= rounds; round++) {
  const [a, b] = [await load(ours, seconds), await load(theirs, seconds)]
  rates.ours.push(a.rate)
  rates.theirs.push(b.rate)
  costs.ours.push(a.cpu)
  costs.theirs.push(b.cpu)
  say(
    `round ${round}   Earshot ${perSecond(a.rate)} (p99 ${a.p99Ms.toFixed(0)} ms)   bare ${perSecond(b.rate)} (p99 ${b.p99Ms.toFixed(0)} ms)   ${(a.rate / b.rate).toFixed(3)}`,
  )
}
if (options.top) await showTop()
const ratio = median(rates.ours) / median(rates.theirs)
say(`\nCPU of each   Earshot ${describe(costs.ours)}   bare ${describe(costs.theirs)}`)
say(`median    Earshot ${perSecond(median(rates.ours))}   bare ${perSecond(median(rates.theirs))}`)
say(`ratio     ${ratio.toFixed(3)} (target ${TARGET})`)

client.disconnect()
bare.disconnect()
await earshot.kill('SIGTERM')
await database.end()
await postgres.stop()
process.exitCode = ratio >= TARGET ? 0 : 1

async function load(target: typeof ours, forSeconds: number): Promise<{ rate: number; p99Ms: number; cpu: Cost }> {
  const answered = answerOf<{ rate: number; refused: number; p99Ms: number }>(client)
  const read = () => ({
    server: cpuOf(target.pid),
    postgres: cpuOfPostgres(postmaster),
    clients: cpuOf(client.pid ?? 0),
  })
  const before = read()
  client.send({ url: target.url, path: target.path, clients, seconds: forSeconds })
  const { refused, ...result } = await answered
  if (refused > 0) throw new Error(`${refused} submissions were not answered with 201`)
  const after = read()
  const each = (name: keyof Cost) => ((after[name] - before[name]) / (result.rate * forSeconds)) * 1e6
  return { ...result, cpu: { server: each('server'), postgres: each('postgres'), clients: each('clients') } }
}

async function prepare(): Promise<string> {
  const { token } = await call<{ token: string }>('/public/workspaces', {
    workspace_name: 'Bench',
    name: 'Bench',
    email: 'bench@example.com',
    password: 'a long password',
  })
  for (const name of ['crm', 'chat'])
    await call('/v1/webhooks', { url: `http://127.0.0.1:9/${name}`, events: ['response.completed'] }, token)
  const choices = (...ids: string[]) => ids.map((id) => ({ id, label: id }))
  const { id } = await call<{ id: string }>(
    '/v1/surveys',
    {
      name: 'Bench',
      metric: 'nps',
      custom_fields: ['plan', 'seats'],
      questions: [
        { id: 'q1', type: 'nps', title: 'How likely are you to recommend us?', required: true },
        { id: 'q2', type: 'single', title: 'Why?', choices: choices('price', 'speed'), allow_other: true },
        { id: 'q3', type: 'multi', title: 'Where?', choices: choices('app', 'shop', 'phone') },
        { id: 'q4', type: 'csat', title: 'How was it, {{answer.q1}}?' },
        {
          id: 'q5',
          type: 'matrix',
          title: 'In detail',
          rows: choices('speed', 'care'),
          columns: choices('good', 'bad'),
        },
        { id: 'q6', type: 'open_text', title: 'More?' },
      ],
      logic: [
        {
          when: {
            all: [
              { question: 'q1', op: 'lte', value: 6 },
              { custom: 'plan', op: 'eq', value: 'trial' },
            ],
          },
          then: [{ action: 'jump', to: 'q6' }],
        },
        { when: { question: 'q2', op: 'eq', value: 'other' }, then: [{ action: 'hide', question: 'q3' }] },
      ],
      quotas: [
        { id: 'everyone', when: { question: 'q1', op: 'gte', value: 0 }, limit: 1_000_000 },
        { id: 'pro', when: { custom: 'plan', op: 'eq', value: 'pro' }, limit: 1_000_000 },
      ],
    },
    token,
  )
  await call(`/v1/surveys/${id}/publish`, undefined, token)
  return id
}

/** The rows that one submission leaves behind, as Earshot made them. */
async function templatesOf(survey: string): Promise<Array<{ table: string; row: object }>> {
  const answers = {
    q1: 9,
    q2: 'speed',
    q3: ['app', 'shop'],
    q4: 5,
    q5: { speed: 'good', care: 'bad' },
    q6: 'Quick and friendly, though the parcel came a day late.',
  }
  const receipt = await call<{ id: string; state: string }>(`/public/surveys/${survey}/responses`, {
    answers,
    custom_data: { plan: 'pro', seats: 3 },
  })
  if (receipt.state !== 'completed') throw new Error(`the submission was ${receipt.state}`)
  const response = parseId('response', receipt.id)
  const tables = (
    await database.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_name like 'webhook\\_%'`,
    )
  ).rows.map(({ name }) => name)
  const found = [
    ...(await rowsOf('responses', 'id = $1', response)),
    ...(await rowsOf('events', `source = 'response:' || $1 || ':completed'`, response)),
  ]
  const event = (found.at(-1)?.row as { id: string } | undefined)?.id
  const deliveries = await rowsOf('webhook_deliveries', 'event_id = $1', event)
  const jobs: typeof deliveries = []
  for (const table of tables.filter((name) => name !== 'webhook_deliveries')) {
    jobs.push(
      ...(await rowsOf(
        table,
        'to_jsonb(t)::text like any($1)',
        deliveries.map(({ row }) => `%${(row as { id: string }).id}%`),
      )),
    )
  }
  return [...found, ...deliveries, ...jobs]
}

async function rowsOf(
  table: string,
  condition: string,
  value: unknown,
): Promise<Array<{ table: string; row: object }>> {
  const columns = await database.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  )
  // As text, so that the peer sends each value as PostgreSQL wrote it.
  const list = columns.rows.map(({ name }) => `t.${name}::text as ${name}`).join(', ')
  const { rows } = await database.query<Record<string, unknown>>(`select ${list} from ${table} t where ${condition}`, [
    value,
  ])
  return rows.map((row) => ({ table, row }))
}

function describe(costs: Cost[]): string {
  const names = ['server', 'postgres', 'clients'] as const
  return names.map((name) => `${name} ${median(costs.map((cost) => cost[name])).toFixed(0)} µs`).join(', ')
}

async function showTop(): Promise<void> {
  const { rows } = await database.query<{ calls: number; ms: number; each: number; query: string }>(
    `select calls::int, total_exec_time as ms, mean_exec_time as each, left(regexp_replace(query, '\\s+', ' ', 'g'), 100) as query from pg_stat_statements order by total_exec_time desc limit 22`,
  )
  for (const { calls, ms, each, query } of rows)
    say(`${ms.toFixed(0).padStart(7)} ms ${String(calls).padStart(7)} x ${each.toFixed(4)} ms  ${query}`)
}

async function ready(): Promise<void> {
  while ((await fetch(`${base}/health/ready`)).status !== 200) await new Promise((resume) => setTimeout(resume, 100))
}

async function call<T>(path: string, body: unknown, token?: string): Promise<T> {
  const answer = await fetch(base + path, {
    method: 'POST',
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}

async function answerOf<T>(child: ChildProcess): Promise<T> {
  const [message] = (await once(child, 'message')) as [T]
  return message
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}

function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en')}/s`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
