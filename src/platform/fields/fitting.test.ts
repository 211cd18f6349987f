import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { publishSurvey, submit } from '../../testing/survey-fixtures.ts'
import { presentPage } from '../../http/routes/pagination.ts'
import { sql } from '../database/database.ts'
import { newId, parseId } from '../ids.ts'
import { readFitting } from './fitting.ts'

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

// 15 KB, and 20 KB when it is sealed.
const NOTE = '字'.repeat(5_000)

const call = async (method: string, path: string, body: unknown) => {
  const answer = await server.request(method, `/v1${path}`, { token, body })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

interface List {
  path: string
  limit?: number
  /** How many large rows are more than a page of bytes. */
  count: number
  /** Makes one, and returns what the list shows of it. */
  make: (n: number) => Promise<unknown>
  shown?: string
}

let templateId = ''

const LISTS: Record<string, List> = {
  people: {
    path: '/people',
    count: 22,
    async make(n) {
      const attributes = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`a${at}`, WORDS]))
      return (await call('POST', '/people', { email: `ada${n}@example.com`, attributes })).id
    },
  },
  invitations: {
    path: '/invitations',
    count: 22,
    async make(n) {
      const words = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`en-x${at + 10_000}`, 'a'.repeat(300)]))
      const body = {
        channel: 'email',
        recipients: [{ email: `eve${n}@example.com` }],
        reminders: Array.from({ length: 5 }, () => ({ after_hours: 2, words })),
      }
      return (await call('POST', `/surveys/${surveyId}/invite`, body)).id
    },
  },
  leads: {
    path: '/leads',
    count: 20,
    async make() {
      const { id } = await call('POST', '/leads', { name: 'Ada' })
      // Notes of 200,000 characters take longer to make.
      await server.peek(`update leads set tags = array[repeat('x', 90000)] where id = $1`, [parseId('lead', id)])
      return id
    },
  },
  alerts: {
    path: '/alerts',
    count: 40,
    async make(n) {
      if (n === 0) await call('POST', '/alert-rules', { name: 'All', trigger: { on: 'response', filter: { all: [] } } })
      await submit(server, surveyId, { q1: 2 })
      const { id } = (await server.request('GET', '/v1/alerts?limit=1', { token })).body.data[0]
      await call('PATCH', `/alerts/${id}`, { root_cause: NOTE, resolution: NOTE })
      return id
    },
  },
  topics: {
    path: '/topics',
    count: 18,
    async make(n) {
      const words = Array.from({ length: 100 }, (_, at) => `${'box '.repeat(12)}${at}`)
      const languages = Array.from({ length: 20 }, (_, at) => `a${String.fromCharCode(97 + at)}`)
      const keywords = Object.fromEntries(languages.map((language) => [language, words]))
      return (await call('POST', '/topics', { name: `Boxes ${n}`, keywords })).id
    },
  },
  'versions of a template': {
    get path() {
      return `/email-templates/${templateId}/versions`
    },
    limit: 20,
    count: 18,
    async make(n) {
      const html = `<a href="{{ unsubscribe_url }}">${n}${'a'.repeat(95_000)}</a>`
      const content = { en: { subject: 'Hello', html } }
      if (n > 0) return (await call('PATCH', `/email-templates/${templateId}`, { content })).version
      const made = await call('POST', '/email-templates', { name: 'Large', content, default_language: 'en' })
      templateId = made.id
      return made.version
    },
    shown: 'version',
  },
}

test.each(Object.keys(LISTS))('a page of large rows of %s ends early, and the pages lose none', async (name) => {
  const list = LISTS[name]
  if (!list) throw new Error(name)
  const made: unknown[] = []
  for (let n = 0; n < list.count; n++) made.push(await list.make(n))
  const seen: unknown[] = []
  let pages = 0
  for (let cursor: string | null = ''; cursor !== null; pages++) {
    const query = new URLSearchParams({ limit: String(list.limit ?? 500), ...(cursor && { cursor }) })
    const { status, text, body } = await server.request('GET', `/v1${list.path}?${query}`, { token })
    expect(status, text).toBe(200)
    expect(text.length).toBeLessThan(2_000_000)
    for (const row of body.data) seen.push(row[list.shown ?? 'id'])
    cursor = body.next_cursor
  }
  expect(pages).toBeGreaterThan(1)
  // Topics that every workspace begins with stand beside them, and are older.
  expect(seen.filter((row) => made.includes(row))).toEqual(made.toReversed())
})

test('a page whose rows are all removed while it is read leads on to the rows behind it', async () => {
  const found = [newId('person'), newId('person')]
  const rows = found.map((id) => ({ id }))
  const page = { limit: 1, before: null, list: 'people' }
  const fitting = await server.services.run((system) =>
    system
      .tenant(newId('workspace'), { type: 'system' })
      .read((tx) => readFitting<{ id: string }>(tx, { table: 'people', columns: sql`id` }, rows, page)),
  )
  const { data, next_cursor: cursor } = presentPage(fitting.rows, fitting.page, String)
  expect(data).toEqual([])
  expect(JSON.parse(Buffer.from(cursor ?? '', 'base64url').toString())).toEqual(['people', found[0]])
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
