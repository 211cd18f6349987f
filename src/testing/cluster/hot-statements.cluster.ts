import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { cloneDatabase, type TestServer } from '../harness.ts'
import { flowOf, makeWorld, runFlows, startOutside, type Flow, type World } from '../database/plans-flows.ts'

let outside: Awaited<ReturnType<typeof startOutside>>
let database: Awaited<ReturnType<typeof cloneDatabase>>
let server: TestServer
let world: World
beforeAll(async () => {
  if (inject('nodeUrls').length === 1) throw new Error('CLUSTER_DATABASE_URL leads to no coordinator with worker nodes')
  outside = await startOutside()
  database = await cloneDatabase()
  server = await outside.startServer(database.url)
  world = await makeWorld(server, outside)
})
afterAll(async () => {
  await server.close()
  await outside.close()
  await database.drop()
})

test('every prepared statement runs on the cluster, also when its connection knows it', async () => {
  for (const round of [1, 2]) await runFlows(server, world, round)
})

const HOT: Record<string, Flow> = {
  'a session look-up': async ({ request }, { workspace }) => {
    for (let n = 0; n < 5; n++) expect((await request('GET', '/v1/me', { token: workspace.token })).status).toBe(200)
  },
  capture: flowOf('capture and staging'),
  'claim and record': flowOf('claim and record'),
  'the delivery log': flowOf('delivery log'),
}

test.each(Object.entries(HOT))('%s is answered by one shard, without a prepared transaction', async (_, flow) => {
  const before = await readCounters()
  const known = server.statements.length
  await flow(server, world, 3)
  const after = await readCounters()
  // An engine's sweep looks for due endpoints of every tenant.
  const sweeps = server.statements
    .slice(known)
    .filter(({ reach, text }) => reach.role === 'system' && text.includes('webhook_queue'))
  expect(after.multi - before.multi).toBe(sweeps.length)
  expect(after.single - before.single).toBeGreaterThan(3)
  expect(after.prepared.filter((gid) => !before.prepared.includes(gid))).toEqual([])
})

interface Counters {
  single: number
  multi: number
  /** Names of transactions in two phases. */
  prepared: string[]
}

async function readCounters(): Promise<Counters> {
  const [counters] = await server.peek<Counters>(
    `select query_execution_single_shard::int as single, query_execution_multi_shard::int as multi,
       array(select gid from pg_dist_transaction) as prepared
     from citus_stat_counters where name = current_database()`,
  )
  if (!counters) throw new Error('the coordinator counts no statements')
  return counters
}
