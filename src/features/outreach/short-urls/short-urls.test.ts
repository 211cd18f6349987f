import { inflateSync } from 'node:zlib'
import { encode } from 'uqr'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lowestIdAt, parseId } from '../../../platform/ids.ts'
import rejected from '../../../platform/vectors/redirect-reject.json' with { type: 'json' }
import { createApiKey, createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey } from '../../../testing/makers.ts'
import { oldClicksSweep } from './short-urls.routes.ts'
import { makeSlug } from './slug.ts'

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1'
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

let server: TestServer
let workspace: TestWorkspace
beforeAll(async () => {
  server = await startTestServer({ poolSize: 20 })
})
beforeEach(async () => {
  workspace = await createWorkspace(server)
})
afterAll(() => server.close())

const call = (method: string, path = '', body?: unknown, token = workspace.token) =>
  server.request(method, `/v1/short-urls${path}`, { token, body })
const follow = (
  slug: string,
  {
    userAgent = PHONE,
    method = 'GET',
    headers = {},
  }: { userAgent?: string; method?: string; headers?: Record<string, string> } = {},
) => server.request(method, `/r/${slug}`, { headers: { 'user-agent': userAgent, ...headers } })

async function created(body: object = { target: 'https://example.com/page' }, token = workspace.token) {
  const answer = await call('POST', '', body, token)
  expect(answer.status, answer.text).toBe(201)
  return answer.body as { id: string; slug: string; url: string; target: string; clicks: number }
}

test('a short URL is made, followed, changed and deleted', async () => {
  const link = await created({ target: 'HTTPS://Example.com/ä?a=1#b' })
  expect(link).toMatchObject({
    url: `http://localhost:8080/r/${link.slug}`,
    target: 'https://example.com/%C3%A4?a=1#b',
    clicks: 0,
    survey_id: null,
  })
  expect(link.slug).toMatch(/^[2-9b-z]{8}$/)
  const answer = await follow(link.slug)
  expect([answer.status, answer.headers.get('location'), answer.headers.get('cache-control')]).toEqual([
    302,
    'https://example.com/%C3%A4?a=1#b',
    'no-store',
  ])
  expect((await call('PATCH', `/${link.id}`, { target: 'https://example.org/' })).body).toMatchObject({
    target: 'https://example.org/',
    clicks: 1,
  })
  expect((await follow(link.slug)).headers.get('location')).toBe('https://example.org/')
  expect((await call('GET', `/${link.id}`)).body).toMatchObject({ clicks: 2 })
  expect((await call('GET')).body.data).toMatchObject([{ id: link.id }])
  expect((await call('DELETE', `/${link.id}`)).status).toBe(204)
  expect(await follow(link.slug)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(
    await server.peek(`select 1 from short_url_clicks union all select 1 from directory where key = $1`, [link.slug]),
  ).toEqual([])
})

test('one of a survey leads to its page, wherever that is', async () => {
  const surveyId = await makeLiveSurvey(server, workspace)
  const link = await created({ survey_id: surveyId, slug: 'Our_Survey-1' })
  expect(link).toMatchObject({
    slug: 'Our_Survey-1',
    survey_id: surveyId,
    target: `http://localhost:8080/public/s/${surveyId}`,
  })
  expect((await follow('Our_Survey-1')).headers.get('location')).toBe(link.target)
  expect((await call('PATCH', `/${link.id}`, { target: 'https://example.com/' })).body).toMatchObject({
    survey_id: null,
    target: 'https://example.com/',
  })
  const foreign = await makeLiveSurvey(server, await createWorkspace(server))
  for (const survey_id of [foreign, 'srv_x'])
    expect(await call('POST', '', { survey_id })).toMatchObject({ status: 422, body: { code: 'unknown_survey' } })
})

describe('a target', () => {
  test.each(rejected)('%j is refused when it is made, when it is changed, and when it is followed', async (target) => {
    expect(await call('POST', '', { target })).toMatchObject({
      status: 422,
      body: { code: 'invalid_target', issues: [{ path: 'target' }] },
    })
    const { id, slug } = await created()
    expect((await call('PATCH', `/${id}`, { target })).status).toBe(422)
    await server.peek('update short_urls set target = $1 where slug = $2', [target, slug])
    const answer = await follow(slug)
    expect([answer.status, answer.headers.get('location')]).toEqual([404, null])
  })

  test('is one of both, and no other short URL', async () => {
    const survey_id = await makeLiveSurvey(server, workspace)
    for (const body of [{}, { target: 'https://example.com/', survey_id }])
      expect(await call('POST', '', body)).toMatchObject({ status: 422, body: { code: 'target_or_survey' } })
    expect((await call('POST', '', { target: 'http://localhost:8080/r/other' })).status).toBe(422)
  })
})

test('a link for one click is not used up by programs that try it', async () => {
  const { slug } = await created({ target: 'https://example.com/', max_clicks: 1 })
  const programs = [
    'Mozilla/4.0 (compatible; ms-office; MSOffice 16)',
    'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.14326; Pro)',
    'WhatsApp/2.23.20.0 A',
    'SkypeUriPreview Preview/0.5',
  ]
  for (const userAgent of programs) expect((await follow(slug, { userAgent })).status, userAgent).toBe(302)
  expect((await follow(slug, { method: 'HEAD' })).status).toBe(302)
  expect((await follow(slug)).status).toBe(302)
  expect((await follow(slug)).status).toBe(410)
})

describe('a slug', () => {
  test('belongs to one workspace of the server, and is free again once it is given up', async () => {
    const other = await createWorkspace(server)
    const mine = await created({ slug: 'spring-sale', target: 'https://mine.example/' })
    expect(await call('POST', '', { slug: 'spring-sale', target: 'https://example.com/' })).toMatchObject({
      status: 409,
      body: { code: 'slug_taken' },
    })
    expect(await call('POST', '', { slug: 'spring-sale', target: 'https://example.com/' }, other.token)).toMatchObject({
      status: 409,
    })
    expect((await follow('spring-sale')).headers.get('location')).toBe('https://mine.example/')
    expect((await call('PATCH', `/${mine.id}`, { slug: 'summer-sale' })).body.slug).toBe('summer-sale')
    expect((await follow('spring-sale')).status).toBe(404)
    await created({ slug: 'spring-sale', target: 'https://theirs.example/' }, other.token)
    expect((await follow('spring-sale')).headers.get('location')).toBe('https://theirs.example/')
    expect((await follow('summer-sale')).headers.get('location')).toBe('https://mine.example/')
    expect(await call('PATCH', `/${mine.id}`, { slug: 'spring-sale' })).toMatchObject({ status: 409 })
    expect((await call('PATCH', `/${mine.id}`, { slug: 'summer-sale' })).status).toBe(200)
  })

  test('that is asked for ten times at once is given once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call('POST', '', { slug: 'the-one', target: 'https://example.com/' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
  })

  test.each(['ab', 'a b', 'a/b', 'ä-ä', 'a'.repeat(65), '..', 'a.b'])('%j cannot be', async (slug) => {
    expect((await call('POST', '', { slug, target: 'https://example.com/' })).status).toBe(400)
    if (slug !== '..') expect((await follow(encodeURIComponent(slug))).status).toBe(404)
  })

  test.each(['admin', 'API', 'Health'])('%s is reserved', async (slug) => {
    expect(await call('POST', '', { slug, target: 'https://example.com/' })).toMatchObject({
      status: 422,
      body: { code: 'reserved_slug' },
    })
  })

  test('that is made shows no words and hardly ever comes twice', () => {
    const made = Array.from({ length: 20_000 }, makeSlug)
    expect(new Set(made).size).toBeGreaterThan(19_995)
    expect(made.join('')).not.toMatch(/[01aeioul]/)
  })
})

describe('clicks', () => {
  test('of people use up what is allowed, exactly, however many come at once; programs and HEAD do not', async () => {
    const { id, slug } = await created({ target: 'https://example.com/', max_clicks: 20 })
    for (const visit of [
      { userAgent: BOT },
      { userAgent: '' },
      { method: 'HEAD' },
      { headers: { purpose: 'prefetch' } },
    ])
      expect((await follow(slug, visit)).status).toBe(302)
    const answers = await Promise.all(Array.from({ length: 50 }, () => follow(slug)))
    expect(answers.filter(({ status }) => status === 302)).toHaveLength(20)
    expect(answers.filter(({ status, body }) => status === 410 && body.code === 'short_url_expired')).toHaveLength(30)
    expect((await follow(slug, { userAgent: BOT })).status).toBe(410)
    expect((await follow(slug, { method: 'HEAD' })).status).toBe(410)
    const stats = await call('GET', `/${id}/stats`)
    expect(stats.body.totals).toEqual({ human: 20, bot: 3 })
    expect((await call('GET', `/${id}`)).body.clicks).toBe(20)
    expect((await call('PATCH', `/${id}`, { max_clicks: 21 })).status).toBe(200)
    expect([(await follow(slug)).status, (await follow(slug)).status]).toEqual([302, 410])
  })

  test('end with the time', async () => {
    const at = new Date(server.clock.now().getTime() + 60_000)
    const { id, slug } = await created({ target: 'https://example.com/', expires_at: at.toISOString() })
    expect((await follow(slug)).status).toBe(302)
    server.clock.set(at)
    const page = await follow(slug, { headers: { accept: 'text/html', 'accept-language': 'de' } })
    expect([page.status, page.text.includes('abgelaufen')]).toEqual([410, true])
    expect(await follow(slug)).toMatchObject({ status: 410, body: { code: 'short_url_expired' } })
    await call('PATCH', `/${id}`, { expires_at: null })
    expect((await follow(slug)).status).toBe(302)
  })

  test('stand under the day of the zone that is asked about, each day of the period', async () => {
    const { id, slug } = await created()
    // Sessions end in between.
    const { key } = await createApiKey(server, workspace.token, ['org.manage'])
    // 23:50 in Berlin, 00:35 of the next day in Kathmandu at the first; both in the next day at the second.
    for (const moment of ['2026-05-10T21:50:00Z', '2026-05-10T22:10:00Z']) {
      server.clock.set(new Date(moment))
      await follow(slug)
      await follow(slug, { userAgent: BOT })
    }
    const days = async (timezone: string) => {
      const { body } = await call(
        'GET',
        `/${id}/stats?from=2026-05-09&to=2026-05-11&timezone=${timezone}`,
        undefined,
        key,
      )
      expect(body).toMatchObject({ from: '2026-05-09', to: '2026-05-11', timezone, totals: { human: 2, bot: 2 } })
      return body.data.map(({ human, bot }: { human: number; bot: number }) => [human, bot])
    }
    expect(await days('UTC')).toEqual([
      [0, 0],
      [2, 2],
      [0, 0],
    ])
    expect(await days('Europe/Berlin')).toEqual([
      [0, 0],
      [1, 1],
      [1, 1],
    ])
    expect(await days('Asia/Kathmandu')).toEqual([
      [0, 0],
      [0, 0],
      [2, 2],
    ])
    await server.request('PATCH', '/v1/org', { token: key, body: { timezone: 'Europe/Berlin' } })
    const byDefault = await call('GET', `/${id}/stats`, undefined, key)
    expect(byDefault.body).toMatchObject({
      from: '2026-04-12',
      to: '2026-05-11',
      timezone: 'Europe/Berlin',
      totals: { human: 2, bot: 2 },
    })
    expect(byDefault.body.data).toHaveLength(30)
    for (const query of ['from=2026-05-11&to=2026-05-10', 'from=2020-01-01&to=2026-01-01'])
      expect((await call('GET', `/${id}/stats?${query}`, undefined, key)).status).toBe(422)
    for (const query of ['timezone=Mars/Olympus', 'from=yesterday'])
      expect((await call('GET', `/${id}/stats?${query}`, undefined, key)).status).toBe(400)
  })

  test('are forgotten by day after a year, and their sum stays', async () => {
    const { id, slug } = await created()
    const { key } = await createApiKey(server, workspace.token, ['links.manage'])
    await follow(slug)
    // As if it had been made by the clock of the test.
    await server.peek('update short_url_clicks set id = $1 where short_url_id = $2', [
      lowestIdAt(server.clock.now()),
      parseId('shortUrl', id),
    ])
    server.clock.advance(364 * 86_400_000)
    expect(await runSweep(server, oldClicksSweep)).toBe(0)
    server.clock.advance(2 * 86_400_000)
    expect(await runSweep(server, oldClicksSweep)).toBe(1)
    expect((await call('GET', `/${id}`, undefined, key)).body.clicks).toBe(1)
  })
})

test('the QR code is an SVG that says the short URL', async () => {
  const { id, url } = await created()
  const answer = await call('GET', `/${id}/qr.svg`)
  expect(answer.headers.get('content-type')).toBe('image/svg+xml')
  expect(answer.text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+"/)
  expect(answer.text).toContain(`<title>${url}</title>`)
  expect(answer.text).not.toMatch(/<script|href=/)
})

test('the QR code for print has the modules of the SVG', async () => {
  const { id, url } = await created()
  const answer = await server.app.fetch(
    new Request(`http://localhost/v1/short-urls/${id}/qr.png`, {
      headers: { authorization: `Bearer ${workspace.token}` },
    }),
  )
  expect(answer.headers.get('content-type')).toBe('image/png')
  const png = Buffer.from(await answer.arrayBuffer())
  const { size, data } = encode(url, { ecc: 'M', border: 4 })
  const width = png.readUInt32BE(16)
  expect([png.subarray(1, 4).toString(), width, png.readUInt32BE(20)]).toEqual(['PNG', size * 16, size * 16])
  const pixels = inflateSync(png.subarray(png.indexOf('IDAT') + 4))
  const isDark = (x: number, y: number) => pixels[(y * 16 + 8) * (width / 8 + 1) + 1 + x * 2] === 0
  expect(data.map((row, y) => row.map((_, x) => isDark(x, y)))).toEqual(data)
})

test('nobody follows, reads or changes another workspace’s short URL by its id', async () => {
  const { id } = await created()
  const other = await createWorkspace(server)
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/stats'],
    ['GET', '/qr.svg'],
    ['GET', '/qr.png'],
  ] as const) {
    expect((await call(method, `/${id}${path}`, method === 'PATCH' ? {} : undefined, other.token)).status).toBe(404)
  }
})

test('a browser gets a page for what is unknown, and a program a problem', async () => {
  const page = await follow('nobody-has-this', { headers: { accept: 'text/html' } })
  expect([
    page.status,
    page.headers.get('content-type'),
    page.text.includes('There is nothing at this address'),
  ]).toEqual([404, 'text/html; charset=utf-8', true])
  expect((await follow('nobody-has-this')).headers.get('content-type')).toBe('application/problem+json')
})
