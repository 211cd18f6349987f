import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createCaches } from '../../../platform/config/caches.ts'
import { createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../testing/makers.ts'
import { drawCharts } from './drawing/chart-thread.ts'

const MOST_WAITING = 20

let server: TestServer
let owner: TestWorkspace
let surveyId: string
let page: string
beforeAll(async () => {
  server = await startTestServer()
  owner = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, owner, NPS_SURVEY)
  await answer(9)
  const layout = { x: 0, y: 0, w: 4, h: 3 }
  const query = { source: 'responses', measure: 'count', interval: 'week' }
  const widgets = [{ id: 'w1', kind: 'line', title: 'line', query, layout }]
  const { body } = await server.request('POST', '/v1/dashboards', {
    token: owner.token,
    body: { name: 'Ours', widgets },
  })
  const share = await server.request('POST', `/v1/dashboards/${body.id}/share`, { token: owner.token, body: {} })
  page = `/public/d/${share.body.token}`
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => server.close())

const answer = (q1: number) => submit(server, surveyId, { answers: { q1 } })
const visit = (headers = {}) => server.request('GET', page, { headers })
const isDrawing = ([task]: [unknown, unknown?]) => typeof task === 'object' && task !== null && 'charts' in task

test('charts are drawn once for all visits, and anew when a figure has changed', async () => {
  const drawn = vi.spyOn(Worker.prototype, 'postMessage')
  const drawings = () => drawn.mock.calls.filter(isDrawing).length
  const visits = await Promise.all(Array.from({ length: 10 }, () => visit()))
  expect(visits.map(({ status }) => status)).toEqual(visits.map(() => 200))
  expect(new Set(visits.map(({ text }) => text)).size).toBe(1)
  expect((await visit()).text).toBe(visits[0]?.text)
  // One for a desktop, and one for a phone.
  expect(drawings()).toBe(2)
  await answer(9)
  expect((await visit()).text).not.toBe(visits[0]?.text)
  expect(drawings()).toBe(4)
})

test('when too many drawings wait, a visitor is asked to come again, in a page', async () => {
  const send = Worker.prototype.postMessage
  const held: Array<() => void> = []
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, ...message) {
    held.push(() => send.apply(this, message))
  })
  const chart = (n: number) => ({ width: 100, height: 100, option: { title: { text: `Number ${n}` } } })
  const others = Array.from({ length: MOST_WAITING + 1 }, (_, n) => drawCharts(`w${n % 2}`, createCaches(), [chart(n)]))
  await answer(9)
  const refused = await visit({ accept: 'text/html', 'accept-language': 'de' })
  expect(refused.status, refused.text).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(refused.text).toContain('<html lang="de"')
  vi.restoreAllMocks()
  for (const post of held) post()
  expect(await Promise.all(others)).toHaveLength(MOST_WAITING + 1)
  expect(await visit()).toMatchObject({ status: 200 })
})
