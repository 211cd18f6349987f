import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CATALOGUE } from './features/delivery/events/events.schema.ts'
import { runRequests } from './features/trust/data-protection/person.fixture.ts'
import { newId, parseId } from './platform/ids.ts'
import { CANARY, fillWithCanary } from './testing/canary.ts'
import { createWorkspace, type TestWorkspace } from './testing/fixtures.ts'
import { startTestServer, type TestServer } from './testing/harness.ts'
import { makeId } from './testing/makers.ts'

let server: TestServer
let workspace: TestWorkspace
beforeAll(async () => {
  server = await startTestServer({ env: { TRUSTED_PROXIES: '127.0.0.1/32' } })
  workspace = await createWorkspace(server)
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: object) =>
  server.request(method, path, { token: workspace.token, ...(body && { body }) })

describe('no member of an event keeps what a person said', () => {
  test.each([
    ['an erasure', (id: string) => erase({ response_ids: [id] })],
    ['a deletion', (id: string) => call('DELETE', `/v1/responses/${id}`)],
  ])('after %s', async (_name, remove) => {
    const id = await makeId(server, workspace, 'response')
    const uuid = parseId('response', id)
    for (const { name, schema, example } of CATALOGUE) {
      const { data } = fillWithCanary(schema, example) as { data: object }
      await server.peek(
        `insert into events (tenant_id, id, type, source, data, created_at)
         select tenant_id, $2, $3, 'response:' || id || ':canary:' || $3, $4, now() from responses where id = $1`,
        [uuid, newId('event'), name, JSON.stringify(data)],
      )
    }
    const events = () =>
      server.peek<{ type: string; data: string }>(
        `select type, data from events where source like 'response:' || $1 || ':canary:%'`,
        [uuid],
      )
    const holding = (await events()).filter(({ data }) => data.toLowerCase().includes(CANARY)).map(({ type }) => type)
    expect(holding).toEqual(expect.arrayContaining(['response.completed', 'response.updated', 'lead.created']))
    await remove(id)
    const left = await events()
    expect(left.filter(({ data }) => data.toLowerCase().includes(CANARY))).toEqual([])
    const updated = left.find(({ type }) => type === 'response.updated')
    expect(JSON.parse(updated?.data ?? '{}')).toMatchObject({ score: null, answers: [], text: [], tags: [] })
  })
})

async function erase(subject: object): Promise<string> {
  const { id } = (await call('POST', '/v1/gdpr/requests', { kind: 'erasure', subject })).body
  await runRequests(server)
  return (await call('GET', `/v1/gdpr/requests/${id}`)).body.status
}
