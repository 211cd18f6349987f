import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { cloneDatabase } from '../harness.ts'
import { makeWorld, runFlows, startOutside } from '../plans-flows.ts'

let outside: Awaited<ReturnType<typeof startOutside>>
let database: Awaited<ReturnType<typeof cloneDatabase>>
beforeAll(async () => {
  outside = await startOutside()
  database = await cloneDatabase()
})
afterAll(async () => {
  await outside.close()
  await database.drop()
})

test('every prepared statement runs on the cluster', async () => {
  expect(inject('nodeUrls').length).toBeGreaterThan(1)
  const server = await outside.startServer(database.url)
  const world = await makeWorld(server, outside)
  for (const round of [1, 2]) await runFlows(server, world, round)
  await server.close()
})
