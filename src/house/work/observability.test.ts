import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace } from '../../testing/fixtures.ts'
import { cloneDatabase, startTestServer, type TestServer } from '../../testing/harness.ts'
import { startProcess } from '../../testing/process.ts'
import { startWorker } from '../../worker.ts'

const TOKEN = 'scrape me'
const METRIC = /\b(?:earshot|nodejs|process)_[a-z0-9_]+/g

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { METRICS_TOKEN: TOKEN } })
})
afterAll(() => server.close())

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')
const scrape = async () => (await server.request('GET', '/metrics', { token: TOKEN })).text
/** The value of a sample as it stands in the text, such as `earshot_queue_depth{queue="emails"}`. */
const valueOf = (text: string, sample: string) => {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${sample} `))
  return line === undefined ? undefined : Number(line.slice(sample.length + 1))
}

test('every metric that the dashboard, the alerts and the manual name is one that Earshot has', async () => {
  const worker = await startWorker(server.services)
  await worker.stop()
  const known = new Set(server.services.metrics.getMetricsAsArray().map((metric) => metric.name))
  const base = (name: string) => (known.has(name) ? name : name.replace(/_(bucket|count|sum)$/, ''))
  for (const path of ['docs/grafana/earshot.json', 'docs/grafana/alerts.yml', 'docs/operations.md']) {
    // Elsewhere the manual names roles of PostgreSQL.
    const text = (await read(path)).replace(/^[^]*\n## Metrics\n/, '')
    const named = [...new Set(text.match(METRIC))]
    expect(named.length, path).toBeGreaterThan(10)
    expect(
      named.filter((name) => !known.has(base(name))),
      path,
    ).toEqual([])
  }
  const shown = new Set((await read('docs/grafana/earshot.json')).match(METRIC)?.map(base))
  expect(
    [...known].filter((name) => name.startsWith('earshot_') && !shown.has(name)),
    'metrics without a panel',
  ).toEqual([])
})

test('the dashboard is one that Grafana takes, with its data source as a variable', async () => {
  const dashboard = JSON.parse(await read('docs/grafana/earshot.json'))
  expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(39)
  expect(
    dashboard.templating.list.map((variable: { name: string; type: string }) => [variable.name, variable.type]),
  ).toContainEqual(['datasource', 'datasource'])
  const panels = dashboard.panels.filter((panel: { type: string }) => panel.type !== 'row')
  expect(new Set(dashboard.panels.map((panel: { id: number }) => panel.id)).size).toBe(dashboard.panels.length)
  for (const panel of panels) {
    expect(panel.targets.length, panel.title).toBeGreaterThan(0)
    for (const { datasource, expr } of [panel, ...panel.targets]) {
      expect(datasource, panel.title).toEqual({ type: 'prometheus', uid: '${datasource}' })
      expect(balanced(expr ?? ''), expr).toBe(true)
    }
  }
})

test('every alert says in the manual what it means and what to do, and no other is described', async () => {
  const rules = await read('docs/grafana/alerts.yml')
  const alerts = [...rules.matchAll(/^ {6}- alert: (\w+)$/gm)].map(([, name]) => name)
  expect(alerts.length).toBeGreaterThan(10)
  for (const part of ['expr', 'for', 'labels', 'annotations'])
    expect(rules.match(new RegExp(`^ {8}${part}: `, 'gm')), part).toHaveLength(alerts.length)
  const described = [
    ...(await read('docs/operations.md')).matchAll(/^\| `(Earshot\w+)` \| [^|]{20,} \| [^|]{20,} \|$/gm),
  ].map(([, name]) => name)
  expect(described).toEqual(alerts)
})

test('a scrape shows the waiting work, by queue and by workspace, how old and how overdue it is', async () => {
  const { token, workspaceId } = await createWorkspace(server)
  const roles = await server.request('GET', '/v1/roles', { token })
  await server.request('POST', '/v1/members/invitations', {
    token,
    body: { email: 'x@example.com', role_id: roles.body.data[0].id },
  })
  server.clock.advance(90_000)
  const text = await scrape()
  const mine = `queue="emails",workspace="${workspaceId}"`
  expect(valueOf(text, 'earshot_queue_depth{queue="emails"}')).toBe(1)
  expect(valueOf(text, 'earshot_queue_oldest_age_seconds{queue="emails"}')).toBe(90)
  expect(valueOf(text, 'earshot_queue_overdue_seconds{queue="emails"}')).toBe(90)
  expect(valueOf(text, `earshot_workspace_queue_depth{${mine}}`)).toBe(1)
  expect(valueOf(text, `earshot_workspace_queue_oldest_age_seconds{${mine}}`)).toBe(90)
  expect(valueOf(text, 'earshot_queue_depth{queue="webhook_deliveries"}')).toBe(0)
  expect(valueOf(text, 'earshot_queue_depth{queue="webhook_jobs"}')).toBe(0)
})

test('a thousand workspaces make no thousand series, and their total is whole', async () => {
  await server.peek(
    `insert into webhook_queue (tenant_id, delivery_id, webhook_id, event_id, next_attempt_at, created_at)
     select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), $1, $1 from generate_series(1, 1000)`,
    [server.clock.now()],
  )
  const text = await scrape()
  expect(text.match(/^earshot_workspace_queue_depth\{queue="webhook_deliveries"/gm)).toHaveLength(100)
  expect(valueOf(text, 'earshot_queue_depth{queue="webhook_deliveries"}')).toBe(1000)
  await server.peek('delete from webhook_queue')
})

test('a sweep shows how late it is and whether it failed, and is not late while it runs', async () => {
  const now = server.clock.now()
  await server.peek(
    `insert into sweeps (name, next_at, lease_until, last_error) values ('late', $1, null, 'broken'), ('running', $1, $2, null)`,
    [new Date(now.getTime() - 60_000), new Date(now.getTime() + 45_000)],
  )
  const text = await scrape()
  expect(valueOf(text, 'earshot_sweep_lag_seconds{sweep="late"}')).toBe(60)
  expect(valueOf(text, 'earshot_sweep_failing{sweep="late"}')).toBe(1)
  expect(valueOf(text, 'earshot_sweep_lag_seconds{sweep="running"}')).toBe(0)
})

test('a worker answers probes and metrics on WORKER_PORT, and nothing else', { timeout: 60_000 }, async () => {
  const { url, drop } = await cloneDatabase()
  const worker = startProcess({
    DATABASE_URL: url,
    SECRETS_KEY: 'a-key-of-this-test-that-is-long-enough',
    ROLE: 'worker',
    WORKER_PORT: '0',
    METRICS_TOKEN: TOKEN,
  })
  await worker.url
  const base = /probes and metrics at http:\/\/localhost(:\d+)/.exec(worker.stdout())?.[1]
  const ask = (path: string) =>
    fetch(`http://127.0.0.1${base}${path}`, { headers: { authorization: `Bearer ${TOKEN}` } })
  await expect
    .poll(async () => (await (await ask('/metrics')).text()).includes('earshot_sweep_runs_total{'), { timeout: 20_000 })
    .toBe(true)
  expect((await ask('/health/ready')).status).toBe(200)
  for (const path of ['/', '/docs', '/openapi.json', '/docs/reference.js', '/public/signups', '/v1/me', '/v1/org'])
    expect((await fetch(`http://127.0.0.1${base}${path}`, { redirect: 'manual' })).status, path).toBe(404)
  // SIGTERM leaves a load balancer 3 s.
  expect(await worker.kill('SIGINT')).toEqual({ code: 0, signal: null })
  await drop()
})

test('a scrape answers without the database, and says that it is away', async () => {
  const before = await scrape()
  expect(valueOf(before, 'earshot_database_up')).toBe(1)
  expect(valueOf(before, 'earshot_database_connections{state="most"}')).toBe(10)
  const { database, factories } = server.services
  const [ping, open] = [database.ping, factories.database]
  const away = () => Promise.reject(new Error('away'))
  Object.assign(database, { ping: away })
  Object.assign(factories, { database: () => ({ ping: away, transaction: away, release: async () => {} }) })
  const text = await scrape()
  Object.assign(database, { ping })
  Object.assign(factories, { database: open })
  expect(valueOf(text, 'earshot_database_up')).toBe(0)
  expect(text).not.toMatch(/^earshot_queue_depth\{/m)
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
})

function balanced(text: string): boolean {
  const open: string[] = []
  const pairs: Record<string, string> = { ')': '(', ']': '[', '}': '{' }
  for (const character of text.replace(/"[^"]*"/g, '')) {
    if ('([{'.includes(character)) open.push(character)
    else if (character in pairs && open.pop() !== pairs[character]) return false
  }
  return open.length === 0
}
