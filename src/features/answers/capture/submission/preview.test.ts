import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { createDraft, submit } from '../../../../testing/survey-fixtures.ts'
import { BUILT_IN } from '../../../../survey-engine/language/messages.ts'
import { openPage, questionsOn, sendPage } from '../page/respondent.fixture.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  token = (await createWorkspace(server)).token
})
afterAll(() => server.close())

const DRAFT = {
  custom_fields: ['plan'],
  dedupe: 'single_use',
  response_limit: 1,
  questions: [
    { id: 'q1', type: 'nps', title: 'Recommend?', required: true },
    { id: 'q2', type: 'open_text', title: 'Why {{ answer.q1 }}, {{ custom.plan }}?', required: true },
  ],
}

async function previewOf(id: string): Promise<{ url: string; token: string; query: string; expires_at: string }> {
  const answer = await server.request('POST', `/v1/surveys/${id}/preview-links`, { token })
  expect(answer.status, answer.text).toBe(201)
  return { ...answer.body, query: new URL(answer.body.url).search }
}

async function stored(): Promise<number> {
  const [row] = await server.peek<{ n: number }>(
    `select (select count(*) from responses) + (select count(*) from events) +
       (select count(*) from quota_counts where count > 0) as n`,
  )
  return Number(row?.n)
}

test('a draft is answered on the page, and nothing is stored', async () => {
  const { id } = await createDraft(server, token, DRAFT)
  const { query } = await previewOf(id)
  const first = await openPage(server, id, `${query}&plan=pro`)
  expect(first.status, first.text).toBe(200)
  expect(first.text).toContain(BUILT_IN['en']?.preview)
  expect((await sendPage(server, first, [])).status).toBe(422)
  const second = await sendPage(server, first, [['q1', '9']])
  expect(questionsOn(second)).toEqual(['q2'])
  expect(second.text).toContain('Why 9, pro?')
  const back = await sendPage(server, second, [['q2', 'Half a "word"']], '_back')
  expect(back.text).toMatch(/value="9" checked/)
  const again = await sendPage(server, back, [['q1', '3']])
  expect(again.text).toContain('Why 3, pro?')
  expect(again.text).toContain('Half a &quot;word&quot;')
  const end = await sendPage(server, again, [['q2', 'Slow']])
  expect(end.text).toContain(BUILT_IN['en']?.preview_over)
  expect(end.text).not.toContain(BUILT_IN['en']?.received)
  expect(await stored()).toBe(0)
})

test.each(Object.keys(BUILT_IN))('the page and its thank-you say so in %s', async (language) => {
  const { id } = await createDraft(server, token, { default_language: language })
  const { query } = await previewOf(id)
  const page = await openPage(server, id, query)
  expect(page.text).toContain(BUILT_IN[language]?.preview)
  expect((await sendPage(server, page, [['q1', '9']])).text).toContain(BUILT_IN[language]?.preview_over)
})

test('a client of the API tries the draft of a closed survey, and nothing is stored', async () => {
  const { id } = await createDraft(server, token, { ...DRAFT, dedupe: 'none' })
  for (const step of ['publish', 'close']) await server.request('POST', `/v1/surveys/${id}/${step}`, { token })
  await server.request('PATCH', `/v1/surveys/${id}`, { token, body: { custom_fields: ['plan', 'shop'] } })
  const { token: preview, query } = await previewOf(id)
  const definition = await server.request('GET', `/public/surveys/${id}${query}`)
  expect(definition).toMatchObject({ status: 200, body: { version: 1, custom_fields: ['plan', 'shop'] } })

  const begun = await submit(server, id, { q1: 9 }, { token: preview, completed: false })
  expect(begun).toMatchObject({ status: 201, body: { state: 'partial', preview: true, token: preview } })
  const ended = await server.request('PATCH', `/public/responses/${begun.body.token}`, {
    body: { answers: { q1: 9, q2: 'Fast' }, custom_data: { shop: 'Ulm' }, completed: true },
  })
  expect(ended).toMatchObject({ status: 200, body: { state: 'completed', preview: true } })
  expect(await submit(server, id, { q1: 11 }, { token: preview })).toMatchObject({
    status: 422,
    body: { issues: [{ path: 'answers.q1' }, { path: 'answers.q2' }] },
  })
  expect(await stored()).toBe(0)
})

test('a preview link shows a look to try, and the workspace keeps its own', async () => {
  const { id } = await createDraft(server, token, DRAFT)
  const branding = { color: '#b3122f', background: '#fff7ed', corners: 'round' }
  const answer = await server.request('POST', `/v1/surveys/${id}/preview-links`, { token, body: { branding } })
  expect(answer.status, answer.text).toBe(201)
  expect(answer.body.token.length).toBeLessThan(500)
  const tried = await openPage(server, id, new URL(answer.body.url).search)
  const own = await openPage(server, id, (await previewOf(id)).query)
  expect(tried.text).toContain('#fff7ed')
  expect(own.text).not.toContain('#fff7ed')
  const mailOf = async (link: { channels: { email: string } }) =>
    (await server.request('GET', new URL(link.channels.email).pathname, { headers: { accept: 'text/html' } })).text
  const { body: plain } = await server.request('POST', `/v1/surveys/${id}/preview-links`, { token })
  const accents = (mail: string) => new Set(mail.match(/background:#[0-9a-f]{6}/gi))
  expect(accents(await mailOf(answer.body))).not.toEqual(accents(await mailOf(plain)))
  expect((await server.request('GET', '/v1/org', { token })).body.branding.color).toBeNull()
})

test.each([
  [{ background: '#808080' }, 422],
  [{ colour: '#ffffff' }, 400],
  [{ color: 'red' }, 400],
])('a look that no page can show is refused: %o', async (branding, status) => {
  const { id } = await createDraft(server, token, DRAFT)
  const answer = await server.request('POST', `/v1/surveys/${id}/preview-links`, { token, body: { branding } })
  expect(answer.status, answer.text).toBe(status)
})

test('a preview opens at a question, and the live page does not', async () => {
  const questions = [DRAFT.questions[0], { id: 'q3', type: 'open_text', title: 'Last {{ answer.q1 }}?' }]
  const { id } = await createDraft(server, token, { questions })
  const { query } = await previewOf(id)
  expect(questionsOn(await openPage(server, id, `${query}&at=q3`))).toEqual(['q3'])
  expect(questionsOn(await openPage(server, id, `${query}&at=none`))).toEqual(['q1'])
  await server.request('POST', `/v1/surveys/${id}/publish`, { token })
  expect(questionsOn(await openPage(server, id, '?at=q3'))).toEqual(['q1'])
})

test('a preview link ends after 24 hours, and works for its own survey alone', async () => {
  const [{ id }, other] = [await createDraft(server, token, DRAFT), await createDraft(server, token, DRAFT)]
  const made = await previewOf(id)
  expect(Date.parse(made.expires_at) - server.clock.now().getTime()).toBe(24 * 3_600_000)
  for (const forged of [made.token.slice(0, -2), 'preview.v1.x', made.token]) {
    const survey = forged === made.token ? other.id : id
    expect((await submit(server, survey, { q1: 9 }, { token: forged })).body.code).toBe('link_unknown')
    expect((await openPage(server, survey, `?token=${forged}`)).status).toBe(422)
  }
  server.clock.advance(24 * 3_600_000)
  expect(await submit(server, id, { q1: 9 }, { token: made.token })).toMatchObject({
    status: 410,
    body: { code: 'link_expired' },
  })
  expect((await openPage(server, id, made.query)).status).toBe(410)
  expect(await stored()).toBe(0)
})
