import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newToken } from '../../platform/config/tokens.ts'
import { createWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { publishSurvey } from '../../testing/survey-fixtures.ts'
import { errorWords } from './error-words.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ engine: 'pglite' })
})
afterAll(() => server.close())

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8'
// Each is a page of its own, and none of them leads anywhere.
const GONE = [
  '/nowhere',
  '/r/nothing',
  '/public/s/nonsense',
  '/public/d/x',
  '/public/unsubscribe/x',
  '/public/invitations/x',
  '/public/password-resets/x',
  '/public/previews/x/sms',
  '/public/track/click/x',
]

describe.each(GONE)('the page at %s', (path) => {
  test.each([
    ['sv, de;q=0.8', 'de'],
    ['en;q=0.1, de-AT;q=0.9', 'de'],
    ['pt-BR', 'pt'],
    ['xx, *', 'en'],
  ])('is for readers of %s in %s', async (accepted, language) => {
    const page = await server.request('GET', path, { headers: { accept: HTML, 'accept-language': accepted } })
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.text).toContain(`<html lang="${language}"`)
  })
})

const ask = (method: string, path: string, accept: string | undefined, more: object = {}) =>
  server.request(method, path, { headers: { ...(accept && { accept }), 'accept-language': 'de', ...more } })

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
// The database is asked for each of them.
const FOR_PEOPLE = [
  '/public/d/y',
  '/r/summer',
  `/public/invitations/${newToken('invitation')}`,
  `/public/password-resets/${newToken('passwordReset')}`,
]

describe('an error that no page expects', () => {
  test.each(FOR_PEOPLE)('is a page at %s, with the request id and a moment to try again', async (path) => {
    server.services.schema.current = false
    const [page, head, json, any] = await Promise.all([
      ask('GET', path, HTML),
      ask('HEAD', path, HTML),
      ask('GET', path, 'text/html, application/json'),
      ask('GET', path, '*/*'),
    ]).finally(() => {
      server.services.schema.current = true
    })
    for (const answer of [page, head]) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
      expect(answer.headers.get('retry-after')).toBe('5')
    }
    expect(page.text).toContain('<html lang="de" dir="ltr">')
    expect(page.text).toContain('<h1>Diese Seite ist im Moment nicht erreichbar</h1>')
    expect(page.text).toContain('Versuchen Sie es in einer Minute noch einmal.')
    expect(page.text).toContain(`Kennung: ${page.headers.get('x-request-id')}`)
    for (const answer of [json, any]) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'application/problem+json'])
      expect(answer.headers.get('retry-after')).toBe('5')
      expect(answer.body).toMatchObject({ code: 'unavailable', retry_after: 5 })
    }
  })

  test('says of a fault of ours that it is ours', async () => {
    const { factories } = server.services
    const { database } = factories
    const broken = () => {
      throw new Error('broken')
    }
    Object.assign(factories, { database: broken })
    const page = await ask('GET', '/r/summer', HTML)
    const problem = await ask('GET', '/public/surveys/srv_01jqe5v0k8e9r9d3z2m6h7t4xw', HTML)
    Object.assign(factories, { database })
    expect([page.status, page.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8'])
    expect(page.text).toContain('Bei uns ist etwas schiefgegangen')
    expect(page.text).not.toContain('broken')
    expect([problem.status, problem.headers.get('content-type')]).toEqual([500, 'application/problem+json'])
  })

  test.each([
    ['PUT', '/public/d/x', {}, 405, 'So lässt sich diese Seite nicht benutzen'],
    ['POST', '/public/d/x', { 'content-type': 'text/plain' }, 415, 'Wir können diese Anfrage nicht lesen'],
    ['GET', `/public/previews/x/sms?lang=${'a'.repeat(40)}`, {}, 400, 'Wir können diese Anfrage nicht lesen'],
    ['GET', `/docs/embed?survey=${'a'.repeat(65)}`, {}, 400, 'Wir können diese Anfrage nicht lesen'],
    ['POST', '/nowhere', FORM, 404, 'Diese Seite gibt es nicht'],
  ])('%s %s %j is a page with the status %d', async (method, path, headers, status, title) => {
    const page = await ask(method, path, HTML, headers)
    expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8'])
    expect(page.text).toContain(`<h1>${title}</h1>`)
    expect(page.text).toContain(`Kennung: ${page.headers.get('x-request-id')}`)
    expect(page.headers.get('allow')).toBe(status === 405 ? 'GET, POST' : null)
    const problem = await ask(method, path, undefined, headers)
    expect([problem.status, problem.headers.get('content-type')]).toEqual([status, 'application/problem+json'])
  })

  test('says that a form is too large', async () => {
    const form = { body: `password=${'x'.repeat(70_000)}`, headers: { ...FORM, accept: HTML } }
    const page = await server.request('POST', '/public/d/x', form)
    expect([page.status, page.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8'])
    expect(page.headers.get('connection')).toBe('close')
    expect(page.text).toContain('Go back and shorten it. Nothing was stored.')
    expect(page.text).toContain('</html>')
  })

  test.each([
    ['GET', '/v1/surveys', 401],
    ['PUT', '/v1/surveys', 401],
    ['GET', '/public/surveys/nonsense', 404],
    ['GET', '/public/surveys', 404],
    ['DELETE', '/public/responses/x', 405],
    ['GET', '/public/sessions', 405],
    ['GET', '/public/twilio/sms', 405],
    ['GET', '/public/assets/nothing.png', 404],
    ['POST', '/health', 405],
  ])('stays a problem for a browser at %s %s, which programs call', async (method, path, status) => {
    const answer = await ask(method, path, HTML)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/problem+json'])
    expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'))
  })

  test('stays a problem below /v1 for somebody who is signed in', async () => {
    const { token } = await createWorkspace(server)
    const answer = await ask('GET', '/v1/nowhere', HTML, { authorization: `Bearer ${token}` })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
  })
})

test('HEAD has the status and the type of GET at every page and error', async () => {
  const base = await server.listen()
  for (const path of [...GONE, '/docs', '/docs/embed', '/public/sessions']) {
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => fetch(`${base}${path}`, { method, headers: { accept: HTML } })),
    )
    expect([path, head?.status, head?.headers.get('content-type')]).toEqual([
      path,
      get?.status,
      get?.headers.get('content-type'),
    ])
    await get?.text()
  }
})

test.each([404, 405, 400, 413, 429, 503, 500])('the page of a %d has its own words in nine languages', (status) => {
  const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'ar']
  const said = languages.map((language) => errorWords(status, language))
  expect(new Set(said.map(({ title }) => title)).size).toBe(languages.length)
  expect(new Set(said.map(({ advice }) => advice)).size).toBe(languages.length)
})

test('every page has the four headers that protect its reader', async () => {
  const { token } = await createWorkspace(server)
  const id = await publishSurvey(server, token)
  const { body: links } = await server.request('POST', `/v1/surveys/${id}/preview-links`, { token })
  const pages = [
    `/public/s/${id}`,
    `/public/embed/${id}`,
    ...Object.values<string>(links.channels).map((url) => url.replace(/^https?:\/\/[^/]+/, '')),
    '/docs',
    '/docs/embed',
  ]
  for (const path of [...pages, ...GONE]) {
    const page = await ask('GET', path, HTML)
    expect([path, page.status]).toEqual([path, GONE.includes(path) ? 404 : 200])
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-content-type-options': 'nosniff',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
      'referrer-policy': 'no-referrer',
    })
  }
  const problem = await server.request('GET', '/nowhere')
  expect(problem.headers.get('permissions-policy')).toBeNull()
})
