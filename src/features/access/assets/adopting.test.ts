import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { storeInMemory } from '../../../testing/providers/memory-storage.ts'
import { createOutboundHttp } from '../../../adapters/outbound-http/outbound-http.ts'
import { drawPicture } from './pictures.fixture.ts'

const PNG = drawPicture('png')
type Answer = (request: IncomingMessage, response: ServerResponse) => void

let server: TestServer
let token: string
let site: Server
let base: string
let answer: Answer
let asked: string[]

beforeAll(async () => {
  server = await startTestServer()
  storeInMemory(server)
  ;({ token } = await createWorkspace(server))
  site = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
afterAll(async () => {
  site.closeAllConnections()
  await new Promise((resolve) => site.close(resolve))
  await server.close()
})
beforeEach(() => {
  asked = []
  answer = (_request, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)
})

const call = (method: string, path: string, body?: unknown) => server.request(method, path, { token, body })
const setLogo = (logo_url: string | null) => call('PATCH', '/v1/org', { branding: { logo_url } })
const pictures = (...urls: string[]) => [
  {
    id: 'q',
    type: 'picture',
    title: 'Which?',
    choices: urls.map((image_url, at) => ({ id: `c${at}`, label: 'C', image_url })),
  },
]
const show = async (id: string) => {
  const page = await server.request('GET', `/public/s/${id}`)
  expect(page.status).toBe(200)
  return page
}
const OWN = /^http:\/\/localhost:8080(\/public\/assets\/[\w-]{43}\.png)$/

test('a logo elsewhere is fetched once and becomes an asset, and a page asks nobody else', async () => {
  const set = await setLogo(`${base}/logo.png`)
  expect(set.status).toBe(200)
  const logo = set.body.branding.logo_url
  expect(logo).toMatch(OWN)
  expect(asked).toEqual(['/logo.png'])
  const [asset] = (await call('GET', '/v1/assets')).body.data
  expect(asset).toMatchObject({ url: logo, width: 8, height: 4, alt: null })
  // Sent back as it was read, it is not fetched again.
  expect((await setLogo(logo)).body.branding.logo_url).toBe(logo)
  expect(asked).toHaveLength(1)

  const created = await call('POST', '/v1/surveys', {
    name: 'Pictures',
    questions: pictures(`${base}/a.png`, `${base}/b.png`, `${base}/a.png`),
  })
  expect(created.status, created.text).toBe(201)
  for (const { image_url } of created.body.questions[0].choices) expect(image_url).toMatch(OWN)
  expect(asked.toSorted()).toEqual(['/a.png', '/b.png', '/logo.png'])
  await call('POST', `/v1/surveys/${created.body.id}/publish`)
  const page = await show(created.body.id)
  const path = OWN.exec(logo)?.[1]
  expect(page.text).toContain(`<header class="brand"><img src="${path}" alt="Acme">`)
  expect([...page.text.matchAll(/<img src="([^"]*)"/g)].map(([, src]) => src)).toEqual(Array(4).fill(path))
  expect(page.headers.get('content-security-policy')).toContain(" img-src 'self';")
  expect((await server.request('GET', path ?? '')).status).toBe(200)
})

test('a changed draft fetches its new pictures, and one that is not there fetches none', async () => {
  const { id } = (await call('POST', '/v1/surveys', { name: 'Later' })).body
  const changed = await call('PATCH', `/v1/surveys/${id}`, { questions: pictures(`${base}/new.png`) })
  expect(changed.body.questions[0].choices[0].image_url).toMatch(OWN)
  expect(asked).toEqual(['/new.png'])
  const missing = 'srv_01jqe5v0k8e9r9d3z2m6h7t4xw'
  expect((await call('PATCH', `/v1/surveys/${missing}`, { questions: pictures(`${base}/x.png`) })).status).toBe(404)
  const broken = { name: 'X', questions: [...pictures(`${base}/x.png`), ...pictures(`${base}/x.png`)] }
  expect((await call('POST', '/v1/surveys', broken)).status).toBe(422)
  expect(asked).toEqual(['/new.png'])
})

test('a definition of another workspace brings its pictures along, and its file stays the same', async () => {
  const { id } = (await call('POST', '/v1/surveys', { name: 'Moved', questions: pictures(`${base}/a.png`) })).body
  const file = await call('GET', `/v1/surveys/${id}/definition`)
  await server.peek(`update assets set alt = 'a draft that nobody has published'`)
  const other = await createWorkspace(server)
  const asThem = (method: string, path: string, body?: unknown) =>
    server.request(method, path, { token: other.token, body })
  const moved = await asThem('POST', '/v1/surveys', file.text)
  expect(moved.status, moved.text).toBe(201)
  expect((await asThem('GET', `/v1/surveys/${moved.body.id}/definition`)).text).toBe(file.text)
  const { data } = (await asThem('GET', '/v1/assets')).body
  expect(data).toMatchObject([{ url: moved.body.questions[0].choices[0].image_url, alt: null }])
})

test('a page asks no other server, whatever is stored', async () => {
  const theme = { logo_url: `${base}/logo.png`, cover_url: `${base}/cover.png` }
  const questions = pictures('/files/a.png', '/files/b.png')
  const { id } = (await call('POST', '/v1/surveys', { name: 'Old', theme, questions })).body
  await server.peek(`
    update surveys set definition = replace(
      replace(definition::text, 'http://localhost:8080/public/', 'https://cdn.example.com/'), '/files/a.png',
      'https://cdn.example.com/a.png')::jsonb where definition::text like '%/files/a.png%'`)
  await call('POST', `/v1/surveys/${id}/publish`)
  const page = await show(id)
  expect(page.text).not.toContain('cdn.example.com')
  expect([...page.text.matchAll(/<img [^>]*src="([^"]*)"/g)].map(([, src]) => src)).toEqual(['/files/b.png'])
  expect(page.headers.get('content-security-policy')).toContain(" img-src 'self';")
})

describe('a server that does not answer now gets no visitor: the save is refused, and works later. It', () => {
  const refused = async (reason: RegExp, url = `${base}/later.png`) => {
    const before = (await call('GET', '/v1/org')).body.branding.logo_url
    const set = await setLogo(url)
    expect(set).toMatchObject({ status: 422, body: { code: 'picture_not_available' } })
    expect(set.body.issues).toMatchObject([
      { path: 'branding.logo_url', message: expect.stringMatching(reason) as unknown },
    ])
    expect(set.body.issues[0].message).toMatch(/Save again later\. Upload the picture/)
    expect((await call('GET', '/v1/org')).body.branding.logo_url).toBe(before)
  }
  const worksLater = async () => {
    answer = (_request, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)
    expect((await setLogo(`${base}/later.png`)).body.branding.logo_url).toMatch(OWN)
  }

  test.each<[string, Answer, RegExp]>([
    ['is overloaded', (_q, r) => void r.writeHead(503).end(), /answered 503/],
    ['wants fewer calls', (_q, r) => void r.writeHead(429).end(), /answered 429/],
    [
      'breaks off',
      (_q, r) => void r.writeHead(200, { 'content-type': 'image/png' }).write('x', () => r.destroy()),
      /did not answer/,
    ],
  ])('%s', async (_name, act, reason) => {
    answer = act
    await refused(reason)
    await worksLater()
  })

  test('is slow', async () => {
    const quick = createOutboundHttp({ allowCidrs: ['127.0.0.0/8'], development: true })
    const picture = (request: Parameters<typeof quick.picture>[0]) => {
      expect(request.timeoutMs).toBe(5_000)
      // The first call gets no answer.
      return quick.picture({ ...request, timeoutMs: asked.length === 0 ? 60 : 5_000 })
    }
    const factory = vi.spyOn(server.services.factories, 'outboundHttp').mockReturnValue({ ...quick, picture })
    answer = () => {}
    await refused(/did not answer/)
    await worksLater()
    factory.mockRestore()
    await quick.close()
  })

  test('has no name that anybody knows', () => refused(/did not answer/, 'https://pictures.invalid/logo.png'))

  test('answers Earshot and visitors differently, in an anonymous survey', async () => {
    answer = (request, response) =>
      void response.writeHead(request.headers['user-agent']?.startsWith('Earshot') ? 503 : 200).end()
    const theme = { cover_url: `${base}/cover.png`, logo_url: `${base}/logo.png` }
    const questions = pictures(`${base}/pixel.png`)
    const { status, body } = await call('POST', '/v1/surveys', { name: 'X', privacy: 'anonymous', theme, questions })
    expect([status, body.issues.map(({ path }: { path: string }) => path).toSorted()]).toEqual([
      422,
      ['questions.0.choices.0.image_url', 'theme.cover_url', 'theme.logo_url'],
    ])
  })
})

test('an address with a user and a password is refused, and asked by nobody', async () => {
  const set = await setLogo(base.replace('http://', 'http://ada:secret@'))
  expect(set.body.issues).toMatchObject([{ path: 'branding.logo_url', message: expect.stringContaining('password') }])
  expect(set.text).not.toContain('ada:secret')
  expect(asked).toEqual([])
})

describe('a picture is refused, with the place and what to do,', () => {
  test.each<[string, Answer, RegExp]>([
    ['that is not there', (_q, r) => void r.writeHead(404, { 'content-type': 'image/png' }).end(PNG), /answered 404/],
    ['that is a page', (_q, r) => void r.writeHead(200, { 'content-type': 'text/html' }).end('<p>'), /not a picture/],
    [
      'that only says so',
      (_q, r) => void r.writeHead(200, { 'content-type': 'image/png' }).end('<p>'),
      /not an intact PNG/,
    ],
    [
      'that redirects to a private address',
      (_q, r) => void r.writeHead(302, { location: 'http://169.254.169.254/logo.png' }).end(),
      /may not read this address/,
    ],
    [
      'that redirects for ever',
      (_q, r) => void r.writeHead(302, { location: '/again' }).end(),
      /redirects more than 3/,
    ],
    [
      'of more than 2 MiB',
      (_q, r) => void r.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(2 * 1024 * 1024 + 1)),
      /more than 2 MiB/,
    ],
    [
      'that unpacks to more',
      (_q, r) =>
        void r
          .writeHead(200, { 'content-type': 'image/svg+xml', 'content-encoding': 'gzip' })
          .end(gzipSync(Buffer.alloc(50 * 1024 * 1024))),
      /more than 2 MiB/,
    ],
  ])('%s', async (_name, act, reason) => {
    answer = act
    const before = (await call('GET', '/v1/org')).body.branding.logo_url
    const refused = await setLogo(`${base}/refused.png`)
    expect(refused).toMatchObject({ status: 422, body: { code: 'picture_not_available' } })
    expect(refused.body.issues).toHaveLength(1)
    expect(refused.body.issues[0].path).toBe('branding.logo_url')
    expect(refused.body.issues[0].message).toMatch(reason)
    expect(refused.body.issues[0].message).toContain('POST /v1/assets')
    expect((await call('GET', '/v1/org')).body.branding.logo_url).toBe(before)
  })

  test.each(['http://10.0.0.1/a.png', 'http://169.254.169.254/latest', 'https://metadata/'])('at %s', async (url) => {
    expect((await setLogo(url)).body.issues).toMatchObject([
      { message: expect.stringContaining('may not read this address') },
    ])
  })

  test('and each of several at its own place', async () => {
    answer = (request, response) =>
      void response.writeHead(request.url === '/b.png' ? 200 : 410, { 'content-type': 'image/png' }).end(PNG)
    const questions = pictures(`${base}/a.png`, `${base}/b.png`, `${base}/c.png`)
    const { status, body } = await call('POST', '/v1/surveys', { name: 'Three', questions })
    expect(status).toBe(422)
    expect(body.issues.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      'questions.0.choices.0.image_url',
      'questions.0.choices.2.image_url',
    ])
  })

  test('that is the 21st', async () => {
    const urls = Array.from({ length: 21 }, (_, at) => `${base}/${at}.png`)
    const { status, body } = await call('POST', '/v1/surveys', { name: 'Many', questions: pictures(...urls) })
    expect({ status, body }).toMatchObject({ status: 422, body: { code: 'too_many_pictures' } })
    expect(asked).toEqual([])
  })

  test('that is an asset of nobody', async () => {
    for (const host of ['http://localhost:8080', ''])
      expect(
        await call('POST', '/v1/surveys', {
          name: 'X',
          questions: pictures(`${host}/public/assets/${'a'.repeat(43)}.png`),
        }),
      ).toMatchObject({
        status: 422,
        body: {
          code: 'picture_not_available',
          issues: [{ message: expect.stringContaining('no picture at this address') }],
        },
      })
  })
})
