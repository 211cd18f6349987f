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
const COUNT = { source: 'responses', measure: 'count' }
const widget = (id: string, title: string, kind: string, query: object = COUNT) => ({
  id,
  kind,
  title,
  query,
  layout: { x: 0, y: 0, w: 4, h: 3 },
})
const PLAIN = widget('plain', 'How many', 'number')
// They were stored by a server with features that this one does not have.
const BY_MOON = widget('bars', 'Bars', 'bar', { ...COUNT, by: ['moon'] })
const LATEST = widget('moons', 'Latest moons', 'moons')
const STORED = [PLAIN, BY_MOON, LATEST]

async function storeDashboard(): Promise<string> {
  const { body } = await call('POST', '/dashboards', { name: 'Ours', widgets: [PLAIN] })
  const { length } = await server.peek('update dashboards set widgets = $1 where name = $2 returning id', [
    JSON.stringify(STORED),
    'Ours',
  ])
  expect(length).toBe(1)
  return body.id
}

test('a widget of what no feature has is unavailable: no figure, not public, and kept when the board is saved', async () => {
  const id = await storeDashboard()
  const shown = await call('GET', `/dashboards/${id}/data`)
  const none = { error: { code: 'not_available' } }
  expect(shown.body.widgets).toEqual({ plain: expect.objectContaining({ n: 0 }), bars: none, moons: none })
  const { token } = (await call('POST', `/dashboards/${id}/share`, {})).body
  const shared = await server.request('GET', `/public/dashboards/${token}`)
  expect(shared.body.layout.map((each: { id: string }) => each.id)).toEqual(['plain'])
  expect((await server.request('GET', `/public/d/${token}`)).text).not.toContain('Latest moons')

  const { widgets } = (await call('GET', `/dashboards/${id}`)).body
  expect(widgets).toEqual([
    PLAIN,
    { ...BY_MOON, kind: 'unavailable', query: COUNT },
    { ...LATEST, kind: 'unavailable', query: COUNT },
  ])
  const saved = await call('PATCH', `/dashboards/${id}`, {
    widgets: [widgets[0], widgets[1], { ...widgets[2], title: 'X' }],
  })
  expect(saved.status, saved.text).toBe(200)
  const [row] = await server.peek<{ widgets: object[] }>('select widgets from dashboards where name = $1', ['Ours'])
  expect(row?.widgets).toEqual([PLAIN, BY_MOON, { ...LATEST, title: 'X' }])
})

test('nobody makes an unavailable widget', async () => {
  const made = await call('POST', '/dashboards', { name: 'X', widgets: [{ ...PLAIN, kind: 'unavailable' }] })
  expect(made).toMatchObject({ status: 400, body: { issues: [{ path: 'widgets.0.kind' }] } })
  const { body } = await call('POST', '/dashboards', { name: 'X', widgets: [PLAIN] })
  const changed = await call('PATCH', `/dashboards/${body.id}`, { widgets: [{ ...PLAIN, kind: 'unavailable' }] })
  expect(changed).toMatchObject({ status: 400, body: { issues: [{ path: 'widgets.0.kind' }] } })
})
