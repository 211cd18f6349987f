import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createApp, type App } from '../src/app.ts'
import type { Connection, DatabaseAdapter } from '../src/platform/database/database-adapter.ts'
import { createServices } from '../src/services.ts'
import { startWorker } from '../src/worker.ts'
import { machine, median, openRig, say, verdict } from './parts/rig.ts'

// A change of a webhook over the whole application, with and without its audit entry, in turn; one caller, then 64 at
// once. Meanwhile the sweeps seal the entries, and the bench watches how long they wait.
const CALLERS = 64
const LIMIT = 1.1

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '60' }, calls: { type: 'string', default: '64' } },
})
const [rounds, calls] = [Number(options.rounds), Number(options.calls)]

const rig = await openRig()
const { services } = rig
const silent = await createServices(services.config, {
  log: services.log,
  clock: services.clock,
  database: withoutAudit(services.database),
})
const apps = { with: createApp(services), without: createApp(silent) }
say(`${machine()}; ${rounds} rounds of ${calls} changes each, PostgreSQL on the same machine.\n`)

const owner = await send<{ token: string }>(apps.with, 'POST', '/public/workspaces', undefined, {
  workspace_name: 'Bench',
  name: 'Bench',
  email: 'bench@example.com',
  password: 'a long password',
})
// A webhook and a key for each caller, so that they wait for no row of each other.
const targets: Array<{ path: string; token: string }> = []
for (let n = 0; n < CALLERS; n++) {
  const { id } = await send<{ id: string }>(apps.with, 'POST', '/v1/webhooks', owner.token, {
    url: 'https://8.8.8.8/hooks',
  })
  const { key } = await send<{ key: string }>(apps.with, 'POST', '/v1/api-keys', owner.token, {
    name: `Key ${n}`,
    permissions: ['integrations.manage'],
  })
  targets.push({ path: `/v1/webhooks/${id}`, token: key })
}
let changes = 0
let names = 0
for (const app of [apps.without, apps.with]) await many(app, 4)

const alone = await compare(1)
const together = await compare(CALLERS)

const worker = await startWorker(services)
// The entries from before had nobody to seal them.
while ((await longestWait()) > 0) await pause(100)
const waits: number[] = []
const until = performance.now() + 20_000
await Promise.all([
  (async () => {
    while (performance.now() < until) await many(apps.with, CALLERS)
  })(),
  (async () => {
    while (performance.now() < until + 5_500) {
      waits.push(await longestWait())
      await pause(100)
    }
  })(),
])
await worker.stop()
const check = await send<{ ok: boolean; entries: number; waiting: number; head: { seq: number } }>(
  apps.with,
  'GET',
  '/v1/audit/verify',
  owner.token,
)
// Signing up, the webhooks and the keys left entries as well.
const expected = 1 + 2 * CALLERS + changes

verdict('one caller: with an entry against without', alone, { atMost: LIMIT })
verdict(`${CALLERS} callers: with entries against without`, together, { atMost: LIMIT })
verdict('longest wait for a seal, s', Math.max(...waits), { atMost: 5 })
verdict('entries that are missing', expected - check.entries, { atMost: 0 }, 0)
verdict('gaps in the numbers', check.head.seq - check.entries, { atMost: 0 }, 0)
if (!check.ok || check.waiting > 0) process.exitCode = 1
await silent.bus.stop()
await rig.close()

/** The median over rounds of the time with entries, divided by the time without. The order changes each round. */
async function compare(callers: number): Promise<number> {
  const ratios: number[] = []
  const times: Record<keyof typeof apps, number[]> = { with: [], without: [] }
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)
    const took = { with: 0, without: 0 }
    for (const name of order) {
      const started = performance.now()
      await many(apps[name], callers)
      took[name] = performance.now() - started
      times[name].push(took[name] / calls)
    }
    ratios.push(took.with / took.without)
  }
  say(
    `${callers} at once: ${median(times.with).toFixed(2)} ms a change with an entry, ${median(times.without).toFixed(2)} ms without`,
  )
  return median(ratios)
}

async function many(app: App, callers: number): Promise<void> {
  await services.database.asOwner((database) => database.query('delete from rate_limits'))
  let left = calls
  await Promise.all(
    targets.slice(0, callers).map(async ({ path, token }) => {
      while (left-- > 0) await send(app, 'PATCH', path, token, { description: `Change ${nextChange(app)}` })
    }),
  )
}

function nextChange(app: App): number {
  if (app === apps.with) changes += 1
  return (names += 1)
}

async function send<T>(app: App, method: string, path: string, token: string | undefined, body?: unknown): Promise<T> {
  const answer = await app.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
  return JSON.parse(text) as T
}

/** Seconds since the oldest entry that still waits. */
async function longestWait(): Promise<number> {
  const [row] = await services.database.asOwner((database) =>
    database.query<{ s: number }>(
      `select coalesce(extract(epoch from clock_timestamp() - min(e.at)), 0)::float8 as s
       from audit_waiting w join audit_entries e on e.tenant_id = w.tenant_id and e.id = w.id`,
    ),
  )
  return row?.s ?? 0
}

/** The same database, whose transactions leave the audit statement out. */
function withoutAudit(database: DatabaseAdapter): DatabaseAdapter {
  const dropping = (connection: Connection): Connection => ({
    query: connection.query,
    isCluster: connection.isCluster,
    atCommit(text, values, name, on) {
      if (!name.startsWith('insert-audit-')) connection.atCommit(text, values, name, on)
    },
  })
  return {
    ...database,
    open() {
      const handle = database.open()
      return {
        counters: handle.counters,
        ping: () => handle.ping(),
        transaction: (reach, work) => handle.transaction(reach, (connection) => work(dropping(connection))),
        release: () => handle.release(),
      }
    },
  }
}
