import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { publishSurvey } from '../../../testing/survey-fixtures.ts'
import { openPage, sendPage } from './page/respondent.fixture.ts'

const THREE = {
  metric: null,
  questions: ['q1', 'q2', 'q3'].map((id) => ({ id, type: 'rating', scale: 5, title: id })),
}
const TYPED: [string, string][] = [
  ['q1', '1'],
  ['q2', '2'],
  ['q3', '3'],
]
const ANSWERS = { q1: 1, q2: 2, q3: 3 }

let server: TestServer
let token: string
let id: string
beforeAll(async () => {
  server = await startTestServer()
  token = (await createWorkspace(server)).token
})
afterAll(() => server.close())

async function latest(survey: string) {
  return (await server.request('GET', `/v1/responses?survey_id=${survey}`, { token })).body.data[0]
}

describe('a program that fills in the page', () => {
  test('is thanked like a person, and its response is quarantined with the reason until somebody releases it', async () => {
    id = await publishSurvey(server, token, THREE)
    const page = await openPage(server, id)
    server.clock.advance(60_000)
    const done = await sendPage(server, page, [...TYPED, ['_website', 'https://spam.example']])
    expect(done).toMatchObject({ status: 200 })
    expect(done.text).toContain('Your answers have been received.')
    const held = await latest(id)
    expect(held).toMatchObject({ state: 'quarantined', quality_flags: ['trap_filled'] })
    const freed = await server.request('POST', `/v1/responses/${held.id}/release`, { token })
    expect(freed.body).toMatchObject({ state: 'completed' })
  })

  test('is known by its haste, from three answers on', async () => {
    id = await publishSurvey(server, token, THREE)
    const page = await openPage(server, id)
    server.clock.advance(599)
    await sendPage(server, page, TYPED)
    expect(await latest(id)).toMatchObject({ state: 'quarantined', quality_flags: ['too_fast', 'fast'] })
    const slower = await openPage(server, id)
    server.clock.advance(601)
    await sendPage(server, slower, TYPED)
    expect(await latest(id)).toMatchObject({ state: 'completed', quality_flags: ['fast'] })
    const short = await openPage(server, id)
    server.clock.advance(1)
    await sendPage(server, short, TYPED.slice(0, 2))
    expect(await latest(id)).toMatchObject({ state: 'completed' })
  })

  test('is known by a start token that it made itself', async () => {
    id = await publishSurvey(server, token, THREE)
    await server.request('POST', `/public/s/${id}`, {
      body: new URLSearchParams([...TYPED, ['_begun', 'forged'], ['_next', '1']]).toString(),
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(await latest(id)).toMatchObject({ state: 'quarantined', quality_flags: ['forged_start'] })
  })

  test.each([
    ['website', 1_001, 'trap_filled'],
    ['website', 200_000, 'trap_filled'],
    ['begun', 501, 'forged_start'],
    ['begun', 200_000, 'forged_start'],
  ])('is held back and never refused with a %s of %d characters', async (name, length, reason) => {
    id = await publishSurvey(server, token, THREE)
    const sent = await server.request('POST', `/public/surveys/${id}/responses`, {
      body: { answers: ANSWERS, page: { [name]: 'x'.repeat(length) } },
    })
    expect(sent).toMatchObject({ status: 201, body: { state: 'quarantined' } })
    expect((await latest(id)).quality_flags).toEqual([reason])
  })

  test('stays suspect when it goes on, and counts in no quota', async () => {
    id = await publishSurvey(server, token, { ...THREE, quotas: [{ id: 'all', limit: 1 }] })
    const begun = await server.request('POST', `/public/surveys/${id}/responses`, {
      body: { answers: { q1: 1 }, completed: false, page: { website: 'x' } },
    })
    expect(begun.body).toMatchObject({ state: 'quarantined' })
    const done = await server.request('PATCH', `/public/responses/${begun.body.token}`, {
      body: { answers: ANSWERS, completed: true, page: {} },
    })
    expect(done.body).toMatchObject({ state: 'quarantined' })
    expect((await latest(id)).quality_flags).toEqual(['trap_filled', 'fast'])
    const person = await server.request('POST', `/public/surveys/${id}/responses`, { body: { answers: ANSWERS } })
    expect(person.body).toMatchObject({ state: 'completed' })
  })
})

test('a client of the API is never suspected', async () => {
  id = await publishSurvey(server, token, THREE)
  const sent = await server.request('POST', `/public/surveys/${id}/responses`, { body: { answers: ANSWERS } })
  expect(sent.body).toMatchObject({ state: 'completed' })
  expect(await latest(id)).toMatchObject({ quality_flags: [] })
})

test('a page that repeats its first request begins one response', async () => {
  id = await publishSurvey(server, token, THREE)
  const page = await openPage(server, id)
  const begun = /name="_begun" value="([^"]+)"/.exec(page.text)?.[1]
  const body = { answers: { q1: 1 }, completed: false, page: { begun } }
  const first = await server.request('POST', `/public/surveys/${id}/responses`, { body })
  const again = await server.request('POST', `/public/surveys/${id}/responses`, {
    body: { ...body, answers: { q1: 1, q2: 2 }, seen: ['q3'] },
  })
  expect(again.body).toMatchObject({ id: first.body.id, state: 'partial' })
  expect((await latest(id)).answers).toHaveLength(2)
})

test('a workspace names the websites that may frame its surveys', async () => {
  const owner = await createWorkspace(server)
  const survey = await publishSurvey(server, owner.token, THREE)
  const policy = async (path: string) =>
    (await server.request('GET', path, { headers: { accept: 'text/html' } })).headers.get('content-security-policy')
  expect(await policy(`/public/s/${survey}`)).toContain('frame-ancestors *')
  const change = (embed_origins: string[]) =>
    server.request('PATCH', '/v1/org', { token: owner.token, body: { embed_origins } })
  expect(await change(['https://shop.example', 'https://*.shop.example:8443'])).toMatchObject({ status: 200 })
  for (const path of [`/public/s/${survey}`, `/public/embed/${survey}`])
    expect(await policy(path)).toMatch(
      /frame-ancestors 'self' https:\/\/shop\.example https:\/\/\*\.shop\.example:8443$/,
    )
  for (const wrong of ['https://a.example; script-src *', 'shop.example', 'https://shop.example/path', "'none'"])
    expect((await change([wrong])).status).toBe(400)
})

test('in production a browser is told to come back by https alone', async () => {
  const safe = await startTestServer({
    env: { ENVIRONMENT: 'production', PUBLIC_BASE_URL: 'https://voc.example', DATABASE_URL: 'postgres://unused' },
  })
  const headers = async (one: TestServer) =>
    (await one.request('GET', '/public/signups')).headers.get('strict-transport-security')
  expect(await headers(safe)).toBe('max-age=31536000')
  expect(await headers(server)).toBeNull()
  await safe.close()
})

test('a survey says when it opens on a website, and publishing refuses an address that can never match', async () => {
  const targeting = { urls: ['https://shop.example/*'], events: ['bought'], sample: 0.5, recontact: { every_days: 30 } }
  const survey = await publishSurvey(server, token, { ...THREE, targeting })
  const frame = await server.request('GET', `/public/embed/${survey}?lang=de`)
  const rules = JSON.parse(/id="rules">([^<]+)</.exec(frame.text)?.[1] ?? 'null')
  expect(rules).toMatchObject({ targeting, close: 'Close' })
  const bad = await server.request('PATCH', `/v1/surveys/${survey}`, {
    token,
    body: { targeting: { urls: ['/thanks'] } },
  })
  expect(bad.status).toBe(200)
  const issues = (await server.request('POST', `/v1/surveys/${survey}/validate`, { token })).body.issues
  expect(issues).toContainEqual(expect.objectContaining({ path: 'targeting.urls.0' }))
  const cleared = await server.request('PATCH', `/v1/surveys/${survey}`, {
    token,
    body: { targeting: null, layout: 'page' },
  })
  expect(cleared.body).toMatchObject({ layout: 'page' })
  expect(cleared.body).not.toHaveProperty('targeting')
})
