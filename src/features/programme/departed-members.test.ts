import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMember, createWorkspace, type TestMember, type TestWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { makeLiveSurvey, submit } from '../../testing/makers.ts'

let server: TestServer
let workspace: TestWorkspace
let leaver: TestMember
beforeAll(async () => {
  server = await startTestServer()
  workspace = await createWorkspace(server)
  leaver = await createMember(server, workspace.token, 'manager')
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown) =>
  server.request(method, `/v1${path}`, { token: workspace.token, body })

test('what names a member who left can still be changed, and nobody names them anew', async () => {
  const { data } = (await call('GET', '/dashboards')).body
  const userId = leaver.userId
  const filter = { all: [{ field: 'score', op: 'lte', value: 6 }] }
  const things: Array<[string, object, object]> = [
    [
      '/alert-rules',
      { name: 'Low', trigger: { on: 'response', filter }, owner_id: userId, notify: { email: [userId] } },
      { enabled: false },
    ],
    ['/leads', { email: 'ada@example.com', owner_id: userId }, { status: 'lost' }],
    ['/reports', { name: 'Weekly', dashboard_id: data[0].id, recipients: [userId] }, { enabled: false }],
  ]
  const made = []
  for (const [path, body] of things) made.push((await call('POST', path, body)).body)
  expect((await call('DELETE', `/members/${userId}`)).status).toBe(204)
  for (const [index, [path, body, change]] of things.entries()) {
    const changed = await call('PATCH', `${path}/${made[index].id}`, change)
    expect(changed.status, changed.text).toBe(200)
    expect(changed.body).toEqual({ ...made[index], ...change, updated_at: expect.any(String) })
    const other = path === '/leads' ? { ...body, email: 'grace@example.com' } : body
    expect((await call('POST', path, other)).body.code).toBe('unknown_member')
  }
})

test('an alert opens without an owner who left', async () => {
  const survey = await makeLiveSurvey(server, workspace)
  const [gone, there] = await Promise.all([
    createMember(server, workspace.token, 'manager'),
    createMember(server, workspace.token, 'manager'),
  ])
  const trigger = { on: 'response', filter: { all: [{ field: 'survey_id', op: 'eq', value: survey }] } }
  for (const { userId } of [gone, there])
    await call('POST', '/alert-rules', { name: 'Any', trigger, owner_id: userId, notify: { owner: true } })
  await call('DELETE', `/members/${gone.userId}`)
  await submit(server, survey, { answers: { q1: 3 } })
  const { data } = (await call('GET', '/alerts')).body
  expect(data.map((alert: { owner_id: string | null }) => alert.owner_id).toSorted()).toEqual([null, there.userId])
})
