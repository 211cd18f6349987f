import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createWorkspace, type TestWorkspace } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../../testing/makers.ts'
import { countRounds } from '../../../../testing/rounds.ts'
import { shownWidget } from '../shown.ts'
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

async function share(kinds: string[]): Promise<string> {
  const call = (path: string, body: object) => server.request('POST', `/v1${path}`, { token: owner.token, body })
  const query = { source: 'responses', measure: 'count', interval: 'day', period: { days: DAYS } }
  const widgets = kinds.map((kind, n) => ({ id: `w${n}`, kind, title: kind, query, layout: LAYOUT }))
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

test('a page of thousands of rows is made in slices', async () => {
  const series = Array.from({ length: DAYS }, (_, n) => ({
    date: new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(0, 10),
    value: n,
    n,
  }))
  const widget = shownWidget({ kind: 'table', title: 'Days' }, { enough: true, n: 1, unit: 'count', series })
  const drawn = Array.from({ length: 30 }, () => ({ widget, box: { id: 'w', ...LAYOUT }, svg: null }))
  const period = { from: '2024-01-01T00:00:00Z', to: '2026-09-17T00:00:00Z', timezone: 'UTC' }
  const rounds = await countRounds(() => renderDashboard(drawn, { period, language: 'en', today: '2026-09-16' }))
  expect(rounds).toBeGreaterThan(300)
})
