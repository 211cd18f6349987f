import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { BUILT_IN } from '../../../survey-engine/language/messages.ts'
import { createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { createDraft, publishSurvey, submit } from '../../../testing/survey-fixtures.ts'
import { openPage, sendPage } from '../../answers/capture/page/respondent.fixture.ts'

let server: TestServer
let token: string
let measured: string
beforeAll(async () => {
  server = await startTestServer()
  ;({ token } = await createWorkspace(server))
  measured = await publishSurvey(server, token)
  for (const score of [10, 9, 9, 8, 0]) await submit(server, measured, { q1: score }, { completed: true })
})
afterAll(() => server.close())

async function makeBadge(body: object = {}, owner = token) {
  const made = { name: 'Thanks', survey_id: measured, metric: 'nps', label: 'Shop', ...body }
  const answer = await server.request('POST', '/v1/badges', { token: owner, body: made })
  expect(answer, answer.text).toMatchObject({ status: 201 })
  return answer.body
}

const change = (badge: { id: string }, body: object) =>
  server.request('PATCH', `/v1/badges/${badge.id}`, { token, body })

const endingWith = (badge: string, more: object = {}) => ({ endings: [{ id: 'end', title: 'Thanks', badge, ...more }] })

/** The last page of a survey, for somebody who answers with a 9. */
async function finish(surveyId: string) {
  const page = await sendPage(server, await openPage(server, surveyId), [['q1', '9']])
  expect(page, page.text).toMatchObject({ status: 200 })
  return page
}

test('an ending that asks for a badge shows its figure in words and as a picture, with a link to share it', async () => {
  const badge = await makeBadge({ style: 'card' })
  const page = await finish(await publishSurvey(server, token, endingWith(badge.id)))
  const address = `/public/badges/${badge.token}.svg`
  expect(page.text).toContain(`<img class="card" src="${address}" alt="Shop: +40">`)
  expect(page.text).toMatch(new RegExp(`<a [^>]*href="${address}"[^>]*>Share the result</a>`))
  expect(page.headers.get('content-security-policy')).toContain("img-src 'self'")
  expect(await server.request('GET', address)).toMatchObject({ status: 200 })
  const plain = await finish(await publishSurvey(server, token, { endings: [{ id: 'end', title: 'Thanks' }] }))
  expect(plain.text).toContain('<h1>Thanks</h1>')
  expect(plain.text).not.toContain('<figure')
})

test.each(Object.keys(BUILT_IN))('the link says in %s what it does', async (language) => {
  const badge = await makeBadge()
  const survey = { ...endingWith(badge.id), default_language: language }
  const page = await finish(await publishSurvey(server, token, survey))
  expect(page.text).toContain(`>${BUILT_IN[language]?.share}</a>`)
  expect(page.text).toContain(`dir="${language === 'ar' ? 'rtl' : 'ltr'}"`)
})

test('a survey says it in its own words', async () => {
  const badge = await makeBadge()
  const messages = { en: { share: 'Tell a friend' } }
  const page = await finish(await publishSurvey(server, token, { ...endingWith(badge.id), messages }))
  expect(page.text).toContain('>Tell a friend</a>')
})

test('a badge that is disabled, gone or short of answers does not show, and the page thanks all the same', async () => {
  const badge = await makeBadge()
  const surveyId = await publishSurvey(server, token, endingWith(badge.id))
  const isShown = async () => {
    const { text } = await finish(surveyId)
    expect(text).toContain('<h1>Thanks</h1>')
    return text.includes('<figure')
  }
  expect(await isShown()).toBe(true)
  await change(badge, { min_n: 6 })
  expect(await isShown()).toBe(false)
  await change(badge, { min_n: 5, enabled: false })
  expect(await isShown()).toBe(false)
  await change(badge, { enabled: true })
  expect(await isShown()).toBe(true)
  await server.peek(`delete from badges where token = '${badge.token}'`)
  expect(await isShown()).toBe(false)
})

test('a badge of an anonymous survey shows as soon as five people have answered', async () => {
  const surveyId = await publishSurvey(server, token, { privacy: 'anonymous' })
  const badge = await makeBadge({ survey_id: surveyId, min_n: 1 })
  const thanks = await publishSurvey(server, token, endingWith(badge.id))
  for (let n = 0; n < 4; n++) await submit(server, surveyId, { q1: 10 }, { completed: true })
  expect((await finish(thanks)).text).not.toContain('<figure')
  await submit(server, surveyId, { q1: 10 }, { completed: true })
  expect((await finish(thanks)).text).toContain('alt="Shop: +100"')
})

test('people who came too late for a quota get no badge', async () => {
  const badge = await makeBadge()
  const quotas = [{ id: 'all', when: { question: 'q1', op: 'eq', value: 9 }, limit: 1 }]
  const surveyId = await publishSurvey(server, token, { ...endingWith(badge.id), quotas })
  const late = await openPage(server, surveyId)
  expect((await finish(surveyId)).text).toContain('<figure')
  const page = await sendPage(server, late, [['q1', '9']])
  expect(page.text).toContain('has all the responses')
  expect(page.text).not.toContain('<figure')
})

test('a badge that cannot be read costs nobody the thanks', async () => {
  const badge = await makeBadge()
  const surveyId = await publishSurvey(server, token, endingWith(badge.id))
  const first = await openPage(server, surveyId)
  const logged = vi.spyOn(server.services.log, 'error').mockImplementation(() => {})
  await server.peek('alter table badges rename to badges_away')
  const page = await sendPage(server, first, [['q1', '9']])
  await server.peek('alter table badges_away rename to badges')
  expect(page).toMatchObject({ status: 200 })
  expect(page.text).toContain('<h1>Thanks</h1>')
  expect(page.text).not.toContain('<figure')
  expect(logged).toHaveBeenCalledWith(expect.anything(), expect.stringContaining('badge'))
  logged.mockRestore()
})

test('an unknown badge, one of another workspace and what is no id are refused with their places', async () => {
  const other = await createWorkspace(server)
  const foreign = await makeBadge({ survey_id: await publishSurvey(server, other.token) }, other.token)
  const own = await makeBadge()
  const endings = [own.id, foreign.id, 'bdg_01jqe5v0k8e9r9d3z2m6h7t4xw', 'Thanks', undefined].map((badge, n) => ({
    id: `e${n}`,
    title: 'Thanks',
    badge,
  }))
  const refused = {
    status: 422,
    body: {
      code: 'unknown_badge',
      issues: [1, 2, 3].map((n) => ({ path: `endings.${n}.badge`, message: 'There is no such badge.' })),
    },
  }
  expect(await server.request('POST', '/v1/surveys', { token, body: { name: 'S', endings } })).toMatchObject(refused)
  const { id } = await createDraft(server, token)
  expect(await server.request('PATCH', `/v1/surveys/${id}`, { token, body: { endings } })).toMatchObject(refused)
  expect((await server.request('GET', `/v1/surveys/${id}`, { token })).body.endings).toEqual([])
})

test('a badge that an ending shows is deleted only once no survey names it', async () => {
  const badge = await makeBadge()
  const draft = await createDraft(server, token, { name: 'A draft', ...endingWith(badge.id) })
  const remove = () => server.request('DELETE', `/v1/badges/${badge.id}`, { token })
  expect(await remove()).toMatchObject({
    status: 409,
    body: { code: 'in_use', used_by: [{ type: 'survey', id: draft.id, name: 'A draft' }] },
  })
  await server.request('PATCH', `/v1/surveys/${draft.id}`, { token, body: { endings: [] } })
  expect(await remove()).toMatchObject({ status: 204 })
})
