import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { publishSurvey } from '../../testing/survey-fixtures.ts'

const MOST = 3
const LONG = 'x'.repeat(49_000)
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

let server: TestServer
let surveys: string[]
beforeAll(async () => {
  server = await startTestServer({ env: { CAPTURE_PER_MINUTE: String(MOST), TRUSTED_PROXIES: '127.0.0.1/32' } })
  const { token } = await createWorkspace(server)
  surveys = await Promise.all([1, 2].map(() => publishSurvey(server, token)))
})
afterAll(() => server.close())

const begin = (address: string, survey = surveys[0], body: object = { answers: { q1: 9 } }) =>
  server.request('POST', `/public/surveys/${survey}/responses`, { body, headers: { 'x-forwarded-for': address } })
const statuses = async (calls: Array<() => Promise<{ status: number }>>) => {
  const seen: number[] = []
  for (const call of calls) seen.push((await call()).status)
  return seen
}
const times = <T>(count: number, one: T) => Array.from({ length: count }, () => one)

test('an address begins so many responses of a survey in a minute, and others go on', async () => {
  const call = () => begin('203.0.113.1')
  expect(await statuses(times(MOST, call))).toEqual(times(MOST, 201))
  const refused = await call()
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused.headers.get('retry-after')).toBe(String(refused.body.retry_after))
  expect(await begin('203.0.113.1', surveys[1])).toMatchObject({ status: 201 })
  expect(await begin('203.0.113.2')).toMatchObject({ status: 201 })
  const [{ count }] = (await server.peek<{ count: string }>(
    `select count(*) as count from responses r join surveys s on s.id = r.survey_id`,
  )) as [{ count: string }]
  expect(Number(count)).toBe(MOST + 2)
})

test('a neighbour in the same IPv6 network shares the budget', async () => {
  expect(await statuses(times(MOST, () => begin('2001:db8::1')))).toEqual(times(MOST, 201))
  expect(await begin('2001:db8::2')).toMatchObject({ status: 429 })
  expect(await begin('2001:db8:0:1::1')).toMatchObject({ status: 201 })
})

test('a browser gets a page in the language of its reader', async () => {
  const send = () =>
    server.request('POST', `/public/s/${surveys[0]}`, {
      body: 'q1=9',
      headers: { ...FORM, 'x-forwarded-for': '203.0.113.3', accept: 'text/html', 'accept-language': 'de' },
    })
  expect(await statuses(times(MOST, send))).toEqual(times(MOST, 200))
  const refused = await send()
  expect(refused.status).toBe(429)
  expect(refused.headers.get('content-type')).toContain('text/html')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused.text).toContain('<html lang="de"')
})

test('a response that was begun goes on when no other may begin', async () => {
  const { body } = await begin('203.0.113.4', surveys[0], { answers: { q1: 9 }, completed: false })
  await statuses(times(MOST, () => begin('203.0.113.4')))
  const more = { body: { completed: true }, headers: { 'x-forwarded-for': '203.0.113.4' } }
  expect(await server.request('PATCH', `/public/responses/${body.token}`, more)).toMatchObject({ status: 200 })
})

test('an address sends 16 MiB of bodies in a minute, whether they are stored or not', async () => {
  const { body } = await begin('203.0.113.5', surveys[0], { answers: { q1: 9 }, completed: false })
  const answers = { q1: 9, q2: LONG, more: [LONG, LONG, LONG, LONG] }
  const send = () =>
    server.request('PATCH', `/public/responses/${body.token}`, {
      body: { answers },
      headers: { 'x-forwarded-for': '203.0.113.5' },
    })
  expect(await statuses(times(68, send))).toEqual(times(68, 422))
  expect(await send()).toMatchObject({ status: 429 })
  expect(await begin('203.0.113.5', surveys[1])).toMatchObject({ status: 429 })
  expect(await begin('203.0.113.6', surveys[1])).toMatchObject({ status: 201 })
})

test('loopback is free', async () => {
  const call = () => server.request('POST', `/public/surveys/${surveys[0]}/responses`, { body: { answers: { q1: 9 } } })
  expect(await statuses(times(MOST + 1, call))).toEqual(times(MOST + 1, 201))
})

test('without a limit nobody is refused', async () => {
  const open = await startTestServer({ env: { CAPTURE_PER_MINUTE: '0', TRUSTED_PROXIES: '127.0.0.1/32' } })
  const survey = await publishSurvey(open, (await createWorkspace(open)).token)
  const call = () =>
    open.request('POST', `/public/surveys/${survey}/responses`, {
      body: { answers: { q1: 9 } },
      headers: { 'x-forwarded-for': '203.0.113.1' },
    })
  expect(await statuses(times(MOST + 1, call))).toEqual(times(MOST + 1, 201))
  await open.close()
})
