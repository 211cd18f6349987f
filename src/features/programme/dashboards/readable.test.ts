import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'

let server: TestServer
let owner: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
  owner = await createWorkspace(server)
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown) =>
  server.request(method, `/v1${path}`, { token: owner.token, body })
const daily = {
  id: 'w1',
  kind: 'line',
  title: 'Day by day',
  query: { source: 'responses', measure: 'count', interval: 'day' },
  layout: { x: 0, y: 0, w: 4, h: 3 },
}

const rows = (limit: number) => ({ ...daily, id: 'w2', query: { ...daily.query, by: ['tag'], limit } })

test.each([
  [{ period: { from: '2026-02-01', to: '2026-01-31' } }, 'period.to'],
  [{ period: { from: '2026-02-01T10:00:00Z', to: '2026-02-01T10:00:00Z' } }, 'period.to'],
  [{ period: { days: 1_001 }, widgets: [daily] }, 'widgets.0.query.interval'],
  [{ period: { from: '2020-01-01', to: '2026-01-01' }, widgets: [daily] }, 'widgets.0.query.interval'],
  [{ period: { days: 400 }, widgets: [daily, rows(75)] }, 'widgets.1.query.interval'],
])('a dashboard whose data nobody could read is refused when it is saved: %j', async (content, path) => {
  const refused = await call('POST', '/dashboards', { name: 'Ours', ...content })
  expect(refused.status, refused.text).toBe(400)
  expect(refused.body.issues).toMatchObject([{ path }])
  const { id } = (await call('POST', '/dashboards', { name: 'Ours' })).body
  expect((await call('PATCH', `/dashboards/${id}`, content)).body.issues).toMatchObject([{ path }])
  expect((await call('GET', `/dashboards/${id}`)).body.period).toEqual({ days: 30 })
})

test('the longest period that a dashboard takes can be read', async () => {
  const made = await call('POST', '/dashboards', { name: 'Ours', period: { days: 1_000 }, widgets: [daily] })
  expect(made.status, made.text).toBe(201)
  const shown = await call('GET', `/dashboards/${made.body.id}/data`)
  expect(shown.status, shown.text).toBe(200)
  expect(shown.body.widgets.w1.series).toHaveLength(1_000)
})

test('a link to a dashboard does not end before it is made', async () => {
  const { id } = (await call('POST', '/dashboards', { name: 'Ours' })).body
  const now = server.clock.now()
  const refused = await call('POST', `/dashboards/${id}/share`, { expires_at: now.toISOString() })
  expect(refused.body).toMatchObject({ status: 422, issues: [{ path: 'expires_at' }] })
  const later = new Date(now.getTime() + 1_000).toISOString()
  expect((await call('POST', `/dashboards/${id}/share`, { expires_at: later })).status).toBe(201)
})
