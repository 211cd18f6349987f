import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey, createWorkspace } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { publishSurvey, submit } from '../../../../testing/survey-fixtures.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  // A key, because a session would end while these tests move the clock by months.
  token = (await createApiKey(server, (await createWorkspace(server)).token, ['surveys.manage', 'responses.manage']))
    .key
})
afterAll(() => server.close())

const pro = (plan: string) => JSON.stringify({ all: [{ field: 'custom.plan', op: 'eq', value: plan }] })

async function report(id: string, query: Record<string, string> = {}) {
  return server.request('GET', `/v1/surveys/${id}/report?${new URLSearchParams(query)}`, { token })
}

async function give(id: string, scores: number[], plan = 'pro') {
  for (const q1 of scores) expect((await submit(server, id, { q1 }, { custom_data: { plan } })).status).toBe(201)
}

test('a report compares with the period before and with other responses, and each score has its change', async () => {
  const id = await publishSurvey(server, token, { custom_fields: ['plan'] })
  await give(id, [10, 10, 10, 10, 10, 10, 10, 10, 9, 8])
  server.clock.advance(30 * 86_400_000)
  await give(id, [0, 0, 0, 0, 1, 8])
  await give(id, [9, 9, 9, 0, 8], 'free')
  const { body } = await report(id, { filter: pro('pro'), compare: pro('free') })
  expect(body.nps).toMatchObject({ n: 6, score: -83.33 })
  expect(body.previous.nps).toMatchObject({ n: 10, score: 90, change: { value: -173.33, clear: true } })
  expect(body.compare).toMatchObject({
    period: { from: body.period.from, to: body.period.to },
    counts: { completed: 5 },
    nps: { n: 5, score: 40, change: { value: -123.33, clear: true } },
    csat: { n: 0, score: null, change: null },
  })
  const whole = (await report(id, { compare: '{"all":[]}' })).body
  expect(whole.compare.nps).toMatchObject({ n: 11, change: { value: 0, clear: false } })
  expect((await report(id)).body.compare).toBeUndefined()
  expect((await report(id, { compare: '{"all":[{"field":"moon"}]}' })).body.issues[0].path).toMatch(/^compare/)
})

test('each interval of a trend says whether it has enough answers, and how sure its score is', async () => {
  const id = await publishSurvey(server, token, { custom_fields: ['plan'] })
  await give(id, [10, 0, 8, 9])
  expect((await report(id)).body.trend.at(-1)).toMatchObject({ n: 4, enough: false, interval: null })
  await give(id, [9])
  expect((await report(id)).body.trend.at(-1)).toMatchObject({ n: 5, enough: true, interval: { level: 95 } })
})

test('a report knows the median time that an answer took, before and under a filter', async () => {
  const id = await publishSurvey(server, token, { custom_fields: ['plan'] })
  expect((await report(id)).body).toMatchObject({ median_duration_ms: null, previous: { median_duration_ms: null } })
  for (const [plan, seconds] of [
    ['pro', 10],
    ['pro', 20],
    ['free', 60],
  ] as const) {
    const begun = await submit(server, id, { q1: 9 }, { completed: false, custom_data: { plan } })
    server.clock.advance(seconds * 1_000)
    const ended = await server.request('PATCH', `/public/responses/${begun.body.token}`, {
      body: { answers: { q1: 9 }, completed: true },
    })
    expect(ended.status, ended.text).toBe(200)
  }
  expect((await report(id)).body.median_duration_ms).toBe(20_000)
  const some = (await report(id, { filter: pro('pro'), compare: pro('free') })).body
  expect([some.median_duration_ms, some.compare.median_duration_ms]).toEqual([15_000, 60_000])
})

test('an anonymous survey is compared with nobody', async () => {
  const id = await publishSurvey(server, token, { privacy: 'anonymous' })
  const refused = await report(id, { compare: '{"all":[]}' })
  expect([refused.status, refused.body.code, refused.body.issues[0].path]).toEqual([422, 'anonymous_survey', 'compare'])
})
