import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey } from '../../../testing/makers.ts'
import { withQueryOf } from './redirects.service.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test.each([
  ['https://example.com/', '?utm_source=flyer&ref=a%20b', 'https://example.com/?utm_source=flyer&ref=a+b'],
  ['https://example.com/p?a=1%2B2#top', '?b=2', 'https://example.com/p?a=1%2B2&b=2#top'],
  ['https://example.com/?a=own', '?a=theirs&A=other&b=2', 'https://example.com/?a=own&A=other&b=2'],
  ['https://example.com/?a=own', '?a=theirs', 'https://example.com/?a=own'],
  ['https://example.com/', '', 'https://example.com/'],
  ['https://example.com/', '?x=%0d%0aSet-Cookie:a&y=1', 'https://example.com/?y=1'],
  ['https://example.com/', `?x=${'a'.repeat(2_000)}`, 'https://example.com/'],
  ['https://example.com/', '?@evil.example/=1', 'https://example.com/?%40evil.example%2F=1'],
])('%s with %s leads to %s', (target, query, result) => {
  expect(withQueryOf(target, query)).toBe(result)
})

test('a short URL passes the query of a visit on only if it says so', async () => {
  const { token, ...workspace } = await createWorkspace(server)
  const call = (method: string, path = '', body?: unknown) =>
    server.request(method, `/v1/short-urls${path}`, { token, body })
  const visit = async (slug: string) => (await server.request('GET', `/r/${slug}?plan=pro&a=2`)).headers.get('location')
  const plain = (await call('POST', '', { target: 'https://example.com/?a=1' })).body
  expect(plain.forward_query).toBe(false)
  expect(await visit(plain.slug)).toBe('https://example.com/?a=1')

  expect((await call('PATCH', `/${plain.id}`, { forward_query: true })).body).toMatchObject({
    forward_query: true,
    target: 'https://example.com/?a=1',
  })
  expect(await visit(plain.slug)).toBe('https://example.com/?a=1&plan=pro')
  expect((await call('PATCH', `/${plain.id}`, { target: 'https://example.org/' })).body.forward_query).toBe(true)
  expect(await visit(plain.slug)).toBe('https://example.org/?plan=pro&a=2')
  expect((await call('GET')).body.data).toMatchObject([{ forward_query: true }])

  const surveyId = await makeLiveSurvey(server, { token, ...workspace })
  const ofSurvey = (await call('POST', '', { survey_id: surveyId, forward_query: true })).body
  expect(await visit(ofSurvey.slug)).toBe(`http://localhost:8080/public/s/${surveyId}?plan=pro&a=2`)
})
