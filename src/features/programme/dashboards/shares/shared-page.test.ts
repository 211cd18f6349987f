import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createWorkspace, type TestWorkspace } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../../testing/makers.ts'
import { countRounds } from '../../../../testing/runs/rounds.ts'
import { PLANS, runRequests } from '../../../trust/data-protection/person.fixture.ts'
import { widgetView } from '../widget-view.ts'
import { renderDashboard } from './shared.page.ts'

const DAYS = 990
const LAYOUT = { x: 0, y: 0, w: 4, h: 3 }

let server: TestServer
let owner: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
  owner = await createWorkspace(server)
  await submit(server, await makeLiveSurvey(server, owner, NPS_SURVEY), { answers: { q1: 9 } })
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => server.close())

function share(kinds: string[]): Promise<string> {
  const query = { source: 'responses', measure: 'count', interval: 'day', period: { days: DAYS } }
  return shareWidgets(kinds.map((kind, n) => ({ id: `w${n}`, kind, title: kind, query, layout: LAYOUT })))
}

async function shareWidgets(widgets: object[]): Promise<string> {
  const call = (path: string, body: object) => server.request('POST', `/v1${path}`, { token: owner.token, body })
  const { id } = (await call('/dashboards', { name: 'Years', widgets })).body
  return (await call(`/dashboards/${id}/share`, {})).body.token
}

test('a page shows the newest rows of a long series and says so, and the data has all', async () => {
  const token = await share(['table', 'line'])
  const { text } = await server.request('GET', `/public/d/${token}`, { headers: { 'accept-language': 'en' } })
  expect(text.match(/<tr>/g)).toHaveLength(200)
  expect(text).toContain('Shown: the newest 200 of 990.')
  expect(text).toContain('Shown: the newest 400 of 990.')
  const { w0, w1 } = (await server.request('GET', `/public/dashboards/${token}`)).body.widgets
  expect([w0.series.length, w1.series.length]).toEqual([DAYS, DAYS])
})

test('a line of many points has no symbols, each of which would be a path of the page', async () => {
  const { text } = await server.request('GET', `/public/d/${await share(['line'])}`)
  expect(text.match(/<path/g)?.length).toBeLessThan(100)
})

test('visits at the same time share one page of a language', async () => {
  const token = await share(['table', 'bar'])
  const send = Worker.prototype.postMessage
  const held: Array<() => void> = []
  let isHeld = true
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, ...message) {
    const post = () => send.apply(this, message)
    if (isHeld) held.push(post)
    else post()
  })
  const encoded = vi.spyOn(TextEncoder.prototype, 'encode')
  const visits = ['GET', 'GET', 'HEAD', 'GET', 'HEAD'].flatMap((method) =>
    ['en', 'de'].map((language) =>
      server.request(method, `/public/d/${token}`, { headers: { 'accept-language': language } }),
    ),
  )
  await vi.waitFor(() => expect(held).not.toEqual([]))
  // A later reading takes more statements than each of these visits before its page.
  expect((await server.request('GET', `/public/dashboards/${token}`)).status).toBe(200)
  isHeld = false
  for (const post of held) post()
  expect((await Promise.all(visits)).map(({ status }) => status)).toEqual(visits.map(() => 200))
  expect(encoded.mock.calls.filter(([text]) => text?.includes('<div class="grid">'))).toHaveLength(2)
})

test('a visit after an erasure joins no page of a visit that began before it', async () => {
  const victim = 'wilhelmina.planted@example.com'
  const surveyId = await makeLiveSurvey(server, owner, { ...NPS_SURVEY, custom_fields: ['plan'] })
  for (const plan of [victim, 'pro'])
    for (let n = 0; n < 6; n++) await submit(server, surveyId, { answers: { q1: 9 }, custom_data: { plan } })
  const token = await shareWidgets([PLANS, { ...PLANS, id: 'bars', kind: 'bar' }])
  const path = `/public/d/${token}`
  const send = Worker.prototype.postMessage
  const held: Array<() => void> = []
  const posting = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, ...message) {
    held.push(() => send.apply(this, message))
  })
  const before = server.request('GET', path)
  await vi.waitFor(() => expect(held).toHaveLength(1))
  const body = { kind: 'erasure', subject: { email: victim } }
  const { id } = (await server.request('POST', '/v1/gdpr/requests', { token: owner.token, body })).body
  await runRequests(server)
  const { status } = (await server.request('GET', `/v1/gdpr/requests/${id}`, { token: owner.token })).body
  expect(status).toBe('completed')
  const after = server.request('GET', path)
  // A later reading takes more statements than this visit before its page.
  expect((await server.request('GET', `/public/dashboards/${token}`)).status).toBe(200)
  posting.mockRestore()
  for (const post of held) post()
  expect((await before).text).toContain(victim)
  expect((await after).text).toContain('pro')
  expect((await after).text).not.toContain(victim)
})

test('a page of thousands of rows is made in slices', async () => {
  const series = Array.from({ length: DAYS }, (_, n) => ({
    date: new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(0, 10),
    value: n,
    n,
  }))
  const widget = widgetView({ kind: 'table', title: 'Days' }, { enough: true, n: 1, unit: 'count', series })
  const drawn = Array.from({ length: 30 }, () => ({ widget, box: { id: 'w', ...LAYOUT }, svg: null }))
  const period = { from: '2024-01-01T00:00:00Z', to: '2026-09-17T00:00:00Z', timezone: 'UTC' }
  const rounds = await countRounds(() => renderDashboard(drawn, { period, language: 'en', today: '2026-09-16' }))
  expect(rounds).toBeGreaterThan(300)
})
