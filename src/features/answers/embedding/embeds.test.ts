import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey, createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { publishSurvey } from '../../../testing/survey-fixtures.ts'
import { oldEmbedsSweep } from './embedding.routes.ts'

let server: TestServer
let owner: TestWorkspace
/** A session ends after 12 hours, and a key does not. */
let key: string
beforeAll(async () => {
  server = await startTestServer()
  owner = await createWorkspace(server)
  ;({ key } = await createApiKey(server, owner.token, []))
})
afterAll(() => server.close())

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const SURVEY = { metric: null, questions: [{ id: 'q1', type: 'nps', title: 'Well?' }] }

const visit = (id: string, referer: string | null, mode = 'popup') =>
  server.request('GET', `/public/embed/${id}?mode=${mode}`, { ...(referer !== null && { headers: { referer } }) })
const seen = async (id: string, token = key) => {
  const answer = await server.request('GET', `/v1/surveys/${id}/embeds`, { token })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}

test('a website that embeds a survey is seen with its mode, first and last, and nothing of its page', async () => {
  const id = await publishSurvey(server, owner.token, SURVEY)
  expect(await seen(id)).toEqual([])
  const first = server.clock.now().toISOString()
  await visit(id, 'https://shop.example/basket?customer=ada@example.com')
  server.clock.advance(MINUTE_MS - 1)
  await visit(id, 'https://shop.example/')
  expect(await seen(id)).toEqual([
    { origin: 'https://shop.example', mode: 'popup', first_seen_at: first, last_seen_at: first },
  ])
  server.clock.advance(1)
  await visit(id, 'https://shop.example/')
  await visit(id, 'https://blog.example/', 'inline')
  const last = server.clock.now().toISOString()
  expect(await seen(id)).toEqual([
    { origin: 'https://blog.example', mode: 'inline', first_seen_at: last, last_seen_at: last },
    { origin: 'https://shop.example', mode: 'popup', first_seen_at: first, last_seen_at: last },
  ])
})

test('no visit is noted without a website, of our own pages, or where the survey is not allowed', async () => {
  const id = await publishSurvey(server, owner.token, SURVEY)
  for (const referer of [
    null,
    'nonsense',
    'data:text/html,x',
    'android-app://shop.example/',
    `${server.services.settings.baseUrl}/docs/embed`,
  ])
    expect((await visit(id, referer)).status).toBe(200)
  expect(
    (await server.request('GET', `/public/embed/${id}`, { headers: { referer: 'https://a.example/' } })).status,
  ).toBe(200)
  await server.request('PATCH', '/v1/org', {
    token: owner.token,
    body: { embed_origins: ['https://shop.example', 'https://*.blog.example'] },
  })
  for (const thief of [
    'https://thief.example/',
    'http://a.blog.example/',
    'https://blog.example/',
    'https://xblog.example/',
  ])
    await visit(id, thief)
  await visit(id, 'https://a.blog.example/')
  await visit(id, 'https://shop.example/')
  expect((await seen(id)).map(({ origin }: { origin: string }) => origin)).toEqual([
    'https://shop.example',
    'https://a.blog.example',
  ])
  await server.request('PATCH', '/v1/org', { token: owner.token, body: { embed_origins: [] } })
})

test('of an anonymous survey the days are kept, and nothing finer', async () => {
  const id = await publishSurvey(server, owner.token, { ...SURVEY, privacy: 'anonymous' })
  await visit(id, 'https://shop.example/')
  const day = `${server.clock.now().toISOString().slice(0, 10)}T00:00:00.000Z`
  expect(await seen(id)).toEqual([
    { origin: 'https://shop.example', mode: 'popup', first_seen_at: day, last_seen_at: day },
  ])
})

test('the websites of a survey are those of its workspace', async () => {
  const id = await publishSurvey(server, owner.token, SURVEY)
  const stranger = await createWorkspace(server)
  for (const path of [`/v1/surveys/${id}/embeds`, '/v1/surveys/srv_x/embeds'])
    expect((await server.request('GET', path, { token: stranger.token })).status).toBe(404)
})

test('50 are kept for 90 days, and nobody drives out one that was seen within a day', async () => {
  const id = await publishSurvey(server, owner.token, SURVEY)
  for (let n = 0; n < 53; n++) {
    server.clock.advance(1)
    await visit(id, `https://shop-${n}.example/`)
  }
  const origins = async () => (await seen(id)).map(({ origin }: { origin: string }) => origin)
  expect(await origins()).toHaveLength(50)
  expect(await origins()).toContain('https://shop-0.example')
  server.clock.advance(DAY_MS)
  await visit(id, 'https://shop-1.example/')
  await visit(id, 'https://new.example/')
  expect(await origins()).toHaveLength(50)
  expect((await origins()).slice(0, 2)).toEqual(
    expect.arrayContaining(['https://new.example', 'https://shop-1.example']),
  )
  expect(await origins()).not.toContain('https://shop-0.example')
  server.clock.advance(90 * DAY_MS + 1)
  expect(await seen(id)).toEqual([])
  expect(await runSweep(server, oldEmbedsSweep)).toBeGreaterThanOrEqual(50)
})
