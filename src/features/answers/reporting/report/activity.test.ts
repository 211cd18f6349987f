import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createApiKey, createWorkspace, runSweep, type TestWorkspace } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../../testing/makers.ts'
import { thresholdSweep } from '../../responses/responses.feature.ts'

const DAY_MS = 86_400_000

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

let workspace: TestWorkspace
beforeEach(async () => {
  workspace = await createWorkspace(server)
})
const call = (method: string, path: string, body?: unknown, token = workspace.token) =>
  server.request(method, `/v1${path}`, { token, ...(body !== undefined && { body }) })
const rows = async () => (await call('GET', '/surveys')).body.data

test('a row has languages, privacy, changes, and who changed it last', async () => {
  const { token, userId } = workspace
  const { key, id: keyId } = await createApiKey(server, token, ['surveys.manage'])
  const id = await makeLiveSurvey(server, workspace)
  expect(await rows()).toMatchObject([
    {
      id,
      languages: ['en', 'de'],
      privacy: 'open',
      unpublished_changes: false,
      updated_by: { type: 'user', id: userId, name: 'Ada Lovelace' },
      response_count: 0,
      last_response_at: null,
    },
  ])
  await call('PATCH', `/surveys/${id}`, { questions: [{ id: 'q1', type: 'nps', title: 'Well?' }] }, key)
  expect(await rows()).toMatchObject([
    {
      languages: ['en'],
      unpublished_changes: true,
      updated_by: { type: 'api_key', id: keyId, name: 'A key for a test' },
    },
  ])
  await call('DELETE', `/api-keys/${keyId}`)
  expect((await rows())[0].updated_by).toEqual({ type: 'api_key', id: keyId, name: null })
  await call('POST', `/surveys/${id}/close`)
  expect((await rows())[0].updated_by).toMatchObject({ type: 'user', id: userId })
})

test('completed responses are counted as reports count them, with the time of the last one', async () => {
  const first = await makeLiveSurvey(server, workspace)
  const second = await makeLiveSurvey(server, workspace)
  await submit(server, first, { answers: { q1: 9 } })
  server.clock.advance(60_000)
  const last = server.clock.now().toISOString()
  const { id } = await submit(server, first, { answers: { q1: 1 } })
  server.clock.advance(60_000)
  await submit(server, first, { answers: { q1: 5 }, completed: false })
  const counted = async () => {
    const found = (await rows()).find((row: { id: string }) => row.id === first)
    const report = (await call('GET', `/surveys/${first}/report`)).body
    expect(found.response_count).toBe(report.counts.completed)
    return [found.response_count, found.last_response_at]
  }
  expect(await counted()).toEqual([2, last])
  await call('POST', `/responses/${id}/quarantine`)
  expect((await counted())[0]).toBe(1)
  expect((await rows()).find((row: { id: string }) => row.id === second)).toMatchObject({ response_count: 0 })
})

test('the list is ordered and filtered by the responses that it shows, page by page', async () => {
  const [none, one, three] = [
    await makeLiveSurvey(server, workspace),
    await makeLiveSurvey(server, workspace),
    await makeLiveSurvey(server, workspace),
  ]
  const few = await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, privacy: 'anonymous' })
  for (let n = 0; n < 3; n++) await submit(server, three, { answers: { q1: 9 } })
  server.clock.advance(60_000)
  await submit(server, one, { answers: { q1: 9 } })
  const seen = server.clock.now().toISOString()
  for (let n = 0; n < 4; n++) await submit(server, few, { answers: { q1: 9 } })
  const ids = async (query: string) => {
    const found: string[] = []
    for (let cursor = ''; ;) {
      const { body } = await call('GET', `/surveys?limit=2&${query}${cursor && `&cursor=${cursor}`}`)
      found.push(...body.data.map(({ id }: { id: string }) => id))
      if (body.next_cursor === null) return found
      cursor = body.next_cursor
    }
  }
  const by = (field: string, op: string, value?: unknown) =>
    `filter=${encodeURIComponent(JSON.stringify({ all: [{ field, op, value }] }))}`
  expect(await ids('sort=-response_count')).toEqual([three, one, few, none])
  expect(await ids('sort=response_count')).toEqual([few, none, one, three])
  expect(await ids('sort=-last_response_at')).toEqual([one, three, few, none])
  expect(await ids('sort=last_response_at')).toEqual([three, one, few, none])
  expect(await ids(by('response_count', 'gte', 1))).toEqual([three, one])
  expect(await ids(by('response_count', 'eq', 0))).toEqual([few, none])
  expect(await ids(by('last_response_at', 'gte', seen))).toEqual([one])
  expect(await ids(by('last_response_at', 'is_not_set'))).toEqual([few, none])
  expect((await call('GET', `/surveys?count=true&${by('response_count', 'lt', 3)}`)).body.count.matching.n).toBe(3)
})

test('an anonymous survey shows its groups alone, and the day of the last one', async () => {
  const id = await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, privacy: 'anonymous' })
  for (let n = 0; n < 4; n++) await submit(server, id, { answers: { q1: 9 } })
  await call('GET', `/surveys/${id}/report`)
  expect(await rows()).toMatchObject([{ privacy: 'anonymous', response_count: 0, last_response_at: null }])
  await submit(server, id, { answers: { q1: 9 } })
  server.clock.advance(DAY_MS)
  await runSweep(server, thresholdSweep)
  const { email, password } = workspace
  const signedIn = await server.request('POST', '/public/sessions', { body: { email, password } })
  workspace = { ...workspace, token: signedIn.body.token }
  await call('GET', `/surveys/${id}/report`)
  const [row] = await rows()
  expect(row.response_count).toBe(5)
  expect(row.last_response_at).toMatch(/T00:00:00\.000Z$/)
})

test('an archived survey is closed again, and no other one is', async () => {
  const id = await makeLiveSurvey(server, workspace)
  const step = (name: string) => call('POST', `/surveys/${id}/${name}`)
  expect(await step('unarchive')).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
  await step('close')
  expect((await step('unarchive')).status).toBe(409)
  await step('archive')
  expect(await step('unarchive')).toMatchObject({ status: 200, body: { state: 'closed' } })
  expect((await call('PATCH', `/surveys/${id}`, { name: 'Again' })).status).toBe(200)
})
