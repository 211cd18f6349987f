import { z } from 'zod'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nextTurn } from '../../platform/loop/turns.ts'
import { createWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { systemRoute, tenantRoute } from './route.ts'

const latch = Promise.withResolvers<void>()
const begun: string[] = []
const gone: string[] = []

/** Goes on after a turn of the event loop, once all have begun. */
async function wait(name: string): Promise<void> {
  begun.push(name)
  await latch.promise
  await nextTurn()
  gone.push(name)
}

const declaration = {
  method: 'get',
  summary: 'Answers after a turn',
  tag: 'Test',
  query: z.object({ name: z.string() }),
  response: { status: 200, contentType: 'text/plain' },
} as const

let server: TestServer
let base: string
beforeAll(async () => {
  const ofWorkspace = tenantRoute({
    ...declaration,
    path: '/turn',
    operationId: 'turn',
    async handler(_scope, { c, query }) {
      await wait(query.name)
      return c.text('', 200)
    },
  })
  const ofNobody = systemRoute({
    ...declaration,
    path: '/public/turn',
    operationId: 'publicTurn',
    async handler(_system, { c, query }) {
      await wait(query.name)
      return c.text('', 200)
    },
  })
  server = await startTestServer({ extraRoutes: [ofWorkspace, ofNobody] })
  base = await server.listen()
})
afterAll(() => server.close())

test('requests of workspaces and of a network take turns, however many one of them sends', async () => {
  const [many, few] = [await createWorkspace(server), await createWorkspace(server)]
  const answers: Promise<Response>[] = []
  const send = async (name: string, token?: string) => {
    const [path, headers] =
      token === undefined ? ['/public/turn', {}] : ['/v1/turn', { authorization: `Bearer ${token}` }]
    answers.push(fetch(`${base}${path}?name=${name}`, { headers }))
    await expect.poll(() => begun).toContain(name)
  }
  for (const n of [1, 2, 3, 4]) await send(`many${n}`, many.token)
  for (const n of [1, 2]) await send(`network${n}`)
  await send('few1', few.token)
  latch.resolve()
  for (const answer of answers) expect((await answer).status).toBe(200)
  expect(gone).toEqual(['many1', 'network1', 'few1', 'many2', 'network2', 'many3', 'many4'])
})
