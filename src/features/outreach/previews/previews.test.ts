import { afterAll, beforeAll, expect, test } from 'vitest'
import { BUILT_IN } from '../../../survey-engine/language/messages.ts'
import { createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { createDraft } from '../../../testing/survey-fixtures.ts'
import { previewWords } from './preview-words.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  token = (await createWorkspace(server, { workspace_name: 'Ada & Söhne' })).token
})
afterAll(() => server.close())

const CANARY = '<script>alert(1)</script>'
const DRAFT = {
  languages: ['en', 'de'],
  questions: [
    { id: 'q1', type: 'nps', title: { en: 'Recommend?', de: 'Empfehlen Sie uns?' }, required: true },
    { id: 'q2', type: 'open_text', title: { en: `Why {{ answer.q1 }}? ${CANARY}`, de: 'Warum?' }, required: true },
  ],
}

type Channels = Record<'web' | 'email' | 'sms' | 'voice', string>

async function channelsOf(draft: Record<string, unknown> = DRAFT): Promise<Channels> {
  const { id } = await createDraft(server, token, draft)
  const answer = await server.request('POST', `/v1/surveys/${id}/preview-links`, { token })
  expect(answer.status, answer.text).toBe(201)
  expect(answer.body.channels.web).toBe(answer.body.url)
  return answer.body.channels
}

const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]+/, '')
const HTML = { accept: 'text/html' }
const open = (url: string, query = '', headers: Record<string, string> = HTML) =>
  server.request('GET', pathOf(url) + query, { headers })
const reply = (url: string, turns: string[]) =>
  server.request('POST', pathOf(url), {
    headers: { ...HTML, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(turns.map((turn): [string, string] => ['turn', turn])).toString(),
  })

async function stored(): Promise<number> {
  const [row] = await server.peek<{ n: number }>(
    `select (select count(*) from responses) + (select count(*) from conversations) + (select count(*) from sends) +
       (select count(*) from events) as n`,
  )
  return Number(row?.n)
}

test.each(['sms', 'voice'] as const)('a draft is answered as a conversation: %s', async (channel) => {
  const { [channel]: url } = await channelsOf()
  const first = await open(url)
  expect(first.status, first.text).toBe(200)
  expect(first.text).toContain(BUILT_IN['en']?.preview)
  expect(first.text).toContain('Recommend?')
  const second = await reply(url, ['9'])
  expect(second.text).toContain('Why 9?')
  expect(second.text).toContain('name="turn" value="9"')
  expect(second.text).not.toContain(CANARY)
  const third = await reply(url, ['9', `It "works" ${CANARY}`])
  expect(third.text).toContain(BUILT_IN['en']?.preview_over)
  expect(third.text).not.toContain('<form')
  expect(third.text).not.toContain(CANARY)
  expect(await stored()).toBe(0)
})

test('the mail is the built-in invitation, and its scores lead to the preview of the page', async () => {
  const { web, email } = await channelsOf()
  const { status, text, headers } = await open(email, '?lang=de')
  expect(status, text).toBe(200)
  expect(text).toContain(previewWords('de').mail)
  expect(text).toContain('<strong>Ada &amp; Söhne fragt nach Ihrer Meinung</strong>')
  expect(text).toContain('Empfehlen Sie uns?')
  const scores = [...text.matchAll(/href="([^"]+&amp;q1=\d+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
  expect(scores).toHaveLength(11)
  const answered = await open(scores[9] ?? '')
  expect(answered.text).toContain(BUILT_IN['de']?.preview)
  expect(new URL(scores[9] ?? '').pathname).toBe(new URL(web).pathname)
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await stored()).toBe(0)
})

test('the language of the link, else that of the browser, is that of every word', async () => {
  const { sms } = await channelsOf()
  for (const page of [await open(sms, '?lang=de'), await open(sms, '', { ...HTML, 'accept-language': 'de-AT' })]) {
    expect(page.text).toContain('<html lang="de"')
    for (const word of [previewWords('de').reply, BUILT_IN['de']?.preview]) expect(page.text).toContain(word)
    expect(page.text).not.toContain(previewWords('en').reply)
  }
})

test('a link that is over, forged, of another channel, or of a draft without questions says so', async () => {
  const { sms, web } = await channelsOf()
  expect((await open(sms.replace(/sms$/, 'fax'))).status).toBe(404)
  const forged = await open(sms.replace('/preview.', '/preview.A'))
  expect(forged.status).toBe(404)
  expect(forged.text).toContain(previewWords('en').gone)
  expect((await open(sms.replace('/preview.', '/preview.A'), '', {})).body.code).toBe('not_found')
  const { sms: empty } = await channelsOf({ questions: [] })
  const page = await open(empty)
  expect(page.status).toBe(422)
  expect(page.text).toContain(previewWords('en').empty)
  server.clock.advance(24 * 3_600_000)
  expect((await open(sms)).status).toBe(410)
  expect((await open(web)).status).toBe(410)
})
