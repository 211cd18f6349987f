import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { publishSurvey } from '../../testing/survey-fixtures.ts'

let server: TestServer
let token: string
let surveyId: string
beforeAll(async () => {
  server = await startTestServer()
  ;({ token } = await createWorkspace(server))
  surveyId = await publishSurvey(server, token)
})
afterAll(() => server.close())

const WORDS = 'long words '.repeat(90)

/** The call that makes one large row, by the list that shows it. */
const ROWS: Record<string, (n: number) => Promise<string>> = {
  async people(n) {
    const attributes = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`a${at}`, WORDS]))
    const { status, body } = await server.request('POST', '/v1/people', {
      token,
      body: { email: `ada${n}@example.com`, attributes },
    })
    expect(status).toBe(201)
    return body.id
  },
  async invitations(n) {
    const words = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`en-x${at + 10_000}`, 'a'.repeat(300)]))
    const { status, body } = await server.request('POST', `/v1/surveys/${surveyId}/invite`, {
      token,
      body: {
        channel: 'email',
        recipients: [{ email: `eve${n}@example.com` }],
        reminders: Array.from({ length: 5 }, () => ({ after_hours: 2, words })),
      },
    })
    expect(status).toBe(202)
    return body.id
  },
}
test.each(Object.keys(ROWS))('a page of large rows of %s ends early, and the pages lose none', async (list) => {
  const made: string[] = []
  for (let n = 0; n < 22; n++) made.push((await ROWS[list]?.(n)) ?? '')
  const seen: string[] = []
  let pages = 0
  for (let cursor: string | null = ''; cursor !== null; pages++) {
    const query = new URLSearchParams({ limit: '500', ...(cursor && { cursor }) })
    const { text, body } = await server.request('GET', `/v1/${list}?${query}`, { token })
    expect(text.length).toBeLessThan(2_000_000)
    for (const { id } of body.data) seen.push(id)
    cursor = body.next_cursor
  }
  expect(pages).toBeGreaterThan(1)
  expect(seen.slice(-made.length)).toEqual(made.toReversed())
})

test('the words of a reminder have at most 50 languages', async () => {
  const words = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`en-x${at + 10_000}`, 'Please answer']))
  const { status, body } = await server.request('POST', `/v1/surveys/${surveyId}/invite`, {
    token,
    body: {
      channel: 'email',
      recipients: [{ email: 'eve@example.com' }],
      reminders: [{ after_hours: 2, words }],
    },
  })
  expect(status).toBe(400)
  expect(JSON.stringify(body)).toContain('50 languages')
})
