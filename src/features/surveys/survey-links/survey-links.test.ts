import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { createDraft, publishSurvey, submit } from '../../../testing/survey-fixtures.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  token = (await createWorkspace(server)).token
})
afterAll(() => server.close())

function makeLinks(surveyId: string, body: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
  return server.request('POST', `/v1/surveys/${surveyId}/links`, { token, body, headers })
}

const SINGLE = { dedupe: 'single_use' }

describe('a single-use link', () => {
  test('takes one response, under concurrency too, and nothing is stored before', async () => {
    const id = await publishSurvey(server, token, SINGLE)
    const made = await makeLinks(id, { count: 2 })
    expect(made).toMatchObject({
      status: 201,
      body: { url: `http://localhost:8080/public/s/${id}?token={token}`, expires_at: null },
    })
    const [one, two] = made.body.tokens as [string, string]
    expect(one).toMatch(/^[\w-]{46}$/)
    const answers = await Promise.all(Array.from({ length: 5 }, () => submit(server, id, { q1: 9 }, { token: one })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    expect((await submit(server, id, { q1: 1 }, { token: two })).status).toBe(201)
  })

  test('works for its own survey alone', async () => {
    const [one, other] = [await publishSurvey(server, token, SINGLE), await publishSurvey(server, token, SINGLE)]
    const [link] = (await makeLinks(one)).body.tokens as [string]
    expect((await submit(server, other, { q1: 9 }, { token: link })).body).toMatchObject({
      status: 422,
      code: 'link_unknown',
      issues: [{ path: 'token' }],
    })
  })

  test('cannot be invented or altered', async () => {
    const id = await publishSurvey(server, token, SINGLE)
    const [link] = (await makeLinks(id)).body.tokens as [string]
    const invented = [
      'order-4711',
      'a'.repeat(46),
      `${link}a`,
      link.slice(0, -1),
      ...[0, 12, 25, 44].map((at) => replaceAt(link, at)),
    ]
    for (const text of invented)
      expect((await submit(server, id, { q1: 9 }, { token: text })).body, text).toMatchObject({
        status: 422,
        code: 'link_unknown',
      })
    expect((await submit(server, id, { q1: 9 }, {})).body).toMatchObject({ status: 422, code: 'link_required' })
    expect((await submit(server, id, { q1: 9 }, { token: link })).status).toBe(201)
  })

  test('ends at its moment', async () => {
    const id = await publishSurvey(server, token, SINGLE)
    const expiresAt = new Date(server.clock.now().getTime() + 60_000).toISOString()
    const [one, two] = (await makeLinks(id, { count: 2, expires_at: expiresAt })).body.tokens as [string, string]
    expect((await submit(server, id, { q1: 9 }, { token: one })).status).toBe(201)
    server.clock.advance(60_000)
    expect((await submit(server, id, { q1: 9 }, { token: two })).body).toMatchObject({
      status: 410,
      code: 'link_expired',
    })
  })
})

test('10,000 links are made at once, all different; more are refused', async () => {
  const id = await publishSurvey(server, token, SINGLE)
  expect(new Set((await makeLinks(id, { count: 10_000 })).body.tokens).size).toBe(10_000)
  expect((await makeLinks(id, { count: 10_001 })).body).toMatchObject({ status: 400, issues: [{ path: 'count' }] })
  expect((await makeLinks(id, { count: 0 })).status).toBe(400)
})

test('links are for surveys that look at them, and end in the future', async () => {
  const { id } = await createDraft(server, token)
  expect((await makeLinks(id)).body).toMatchObject({ status: 422, code: 'not_single_use' })
  const past = new Date(server.clock.now().getTime() - 1).toISOString()
  expect((await makeLinks(await publishSurvey(server, token, SINGLE), { expires_at: past })).body).toMatchObject({
    status: 422,
    issues: [{ path: 'expires_at' }],
  })
})

test('a replayed request shows the tokens masked, for they are stored nowhere', async () => {
  const id = await publishSurvey(server, token, SINGLE)
  const [first, second] = [
    await makeLinks(id, { count: 2 }, { 'idempotency-key': 'k1' }),
    await makeLinks(id, { count: 2 }, { 'idempotency-key': 'k1' }),
  ]
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  expect(second.body.tokens).toHaveLength(2)
  for (const text of first.body.tokens as string[]) expect(second.text).not.toContain(text)
})

function replaceAt(text: string, at: number): string {
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
}
