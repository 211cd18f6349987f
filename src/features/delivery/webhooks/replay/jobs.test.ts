import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { createWorkspace } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { inWorkspace } from '../../../../testing/send-fixture.ts'
import { carryOnJobs, endBackfill, startJobIn } from './jobs.service.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('a short job does not wait for the end of a long one of another workspace', async () => {
  const left = new Map<string, number>()
  for (const batches of [4, 1]) {
    const id = newId('backfill')
    left.set(id, batches)
    const job = { id, webhook_id: null, event: null, survey_id: null, since: null, until: server.clock.now() }
    await inWorkspace(server, await createWorkspace(server), (scope) =>
      scope.tx((tx) => startJobIn(scope, tx, 'backfill', job)),
    )
  }
  const [long] = left.keys()
  const order: string[] = []
  const options = { signal: new AbortController().signal, renew: async () => true }
  await server.services.run((system) =>
    carryOnJobs(system, options, 'backfill', async (scope, id) => {
      const batches = left.get(id) ?? 0
      if (batches === 0) await scope.tx((tx) => endBackfill(tx, id))
      else order.push(id === long ? 'long' : 'short')
      left.set(id, batches - 1)
      return Math.max(batches, 0)
    }),
  )
  expect(order.join(' ')).toBe('long short long long long')
  expect(await server.peek('select id from webhook_jobs')).toEqual([])
})
