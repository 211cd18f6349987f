import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createOutboundHttp } from '../../../adapters/outbound-http/outbound-http.ts'
import { createLog } from '../../../platform/config/log.ts'
import { createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { startReceiver, type Receiver } from '../../../testing/receiver.ts'
import { publishSurvey } from '../../../testing/survey-fixtures.ts'

const PAGE = '<!doctype html><html><head><title>Shop</title></head><body><a href="/x">x</a></body></html>'
const HTML = { 'content-type': 'text/html; charset=utf-8' }

const lines: string[] = []
let server: TestServer
let site: Receiver
let token: string
let surveyId: string
beforeAll(async () => {
  server = await startTestServer({ log: createLog('info', { write: (line) => void lines.push(line) }) })
  site = await startReceiver()
})
beforeEach(async () => {
  ;({ token } = await createWorkspace(server))
  surveyId = await publishSurvey(server, token)
})
afterAll(async () => {
  await site.close()
  await server.close()
})

const fetchPage = (url: string, more: object = {}) =>
  server.request('POST', '/v1/proxy/fetch', {
    token,
    headers: { cookie: 'a=1', 'x-own': '1' },
    body: { url, survey_id: surveyId, ...more },
  })
const answering = (body: string | Buffer, headers: Record<string, string> = HTML, status = 200) =>
  site.answer((_request, response) => void response.writeHead(status, headers).end(body))

describe('a page for a preview', () => {
  test('has the embed script and a base, and is read without anything of the caller', async () => {
    answering(PAGE, { ...HTML, 'set-cookie': 'tracked=1' })
    const answer = await fetchPage(site.url)
    expect(answer, answer.text).toMatchObject({ status: 200, body: { url: site.url, status: 200 } })
    expect(answer.body.html).toBe(
      PAGE.replace(
        '<head>',
        `<head><base href="${site.url}"><script async src="http://localhost:8080/public/embed.js" data-voc-survey="${surveyId}"></script>`,
      ),
    )
    await fetchPage(site.url)
    for (const { method, headers } of site.requests.splice(0)) {
      expect(method).toBe('GET')
      expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
    }
  })
  test('is told with the status of its target, and follows three redirects', async () => {
    answering('<p>gone', HTML, 404)
    expect((await fetchPage(site.url)).body).toMatchObject({ status: 404 })
    site.answer(({ path }, response) => {
      const left = Number(path.slice(2))
      if (left > 0) return void response.writeHead(302, { location: `/r${left - 1}` }).end()
      response.writeHead(200, HTML).end(PAGE)
    })
    const at = (path: string) => new URL(path, site.url).href
    expect(await fetchPage(at('/r3'))).toMatchObject({ status: 200, body: { url: at('/r0') } })
    expect(await fetchPage(at('/r4'))).toMatchObject({ status: 502, body: { code: 'target_failed' } })
  })
  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('is decompressed from %s, up to 1 MiB', async (encoding, compress) => {
    answering(compress(PAGE), { ...HTML, 'content-encoding': encoding })
    expect((await fetchPage(site.url)).body.html).toContain('<title>Shop</title>')
    answering(compress(Buffer.alloc(8 * 1024 * 1024)), { ...HTML, 'content-encoding': encoding })
    expect(await fetchPage(site.url)).toMatchObject({ status: 502, body: { detail: expect.stringContaining('1 MiB') } })
  })
  test('keeps its letters in any encoding', async () => {
    answering(Buffer.from('<p>Grüße', 'latin1'), { 'content-type': 'text/html; charset=iso-8859-1' })
    expect((await fetchPage(site.url)).body.html).toContain('Grüße')
    answering(Buffer.from('<meta charset="windows-1252"><p>Grüße', 'latin1'), { 'content-type': 'text/html' })
    expect((await fetchPage(site.url)).body.html).toContain('Grüße')
    answering('<meta charset="nonsense"><p>Grüße', { 'content-type': 'text/html; charset=none' })
    expect((await fetchPage(site.url)).body.html).toContain('Grüße')
  })
  test('that fails leaves a code and no stack in the log of the operator', async () => {
    const before = lines.length
    site.answer((_request, response) => void response.destroy())
    expect(await fetchPage(site.url)).toMatchObject({ status: 502, body: { code: 'target_failed' } })
    const failures = lines.slice(before).map((line) => JSON.parse(line))
    expect(failures).toContainEqual(expect.objectContaining({ level: 'info', code: 'target_failed' }))
    expect(failures.filter(({ level, err }) => level === 'error' || err)).toEqual([])
  })
  test('leaves an entry in the audit log, whether it came or not', async () => {
    answering(PAGE)
    await fetchPage(site.url)
    await fetchPage('http://10.0.0.1/')
    const { body } = await server.request('GET', '/v1/audit?action=proxy.fetch&limit=2', { token })
    expect(body.data.map((entry: { outcome: string; target: unknown }) => [entry.outcome, entry.target])).toEqual([
      ['failed', { type: 'survey', id: surveyId }],
      ['ok', { type: 'survey', id: surveyId }],
    ])
  })
})

describe('refused', () => {
  test.each([
    'ftp://example.com/',
    'javascript:alert(1)',
    'nonsense',
    'http://user:password@example.com/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://metadata.google.internal/',
    'http://93.184.215.14:8080/',
    'http://93.184.215.14:22/',
  ])('%s is 422', async (url) => {
    expect(await fetchPage(url)).toMatchObject({ status: 422, body: { issues: [{ path: 'url' }] } })
  })
  test.each(['http://169.254.169.254/', 'http://10.0.0.1/', 'http://93.184.215.14:25/', 'file:///etc/passwd'])(
    'a redirect to %s is 422, and is not followed',
    async (location) => {
      site.answer((_request, response) => void response.writeHead(302, { location }).end())
      expect(await fetchPage(site.url)).toMatchObject({ status: 422, body: { code: 'blocked_url' } })
    },
  )
  test('a foreign survey is 422, and its page is not read', async () => {
    const stranger = await createWorkspace(server)
    const foreign = await publishSurvey(server, stranger.token)
    site.requests.splice(0)
    expect(await fetchPage(site.url, { survey_id: foreign })).toMatchObject({
      status: 422,
      body: { issues: [{ path: 'survey_id' }] },
    })
    expect(site.requests).toEqual([])
  })
  test('more than 120 calls a minute are 429', async () => {
    const statuses = []
    for (let n = 0; n < 121; n += 1) statuses.push((await fetchPage('http://10.0.0.1/')).status)
    expect(statuses).toEqual([...Array.from({ length: 120 }, () => 422), 429])
  })
})

describe('a target that fails', () => {
  const failing: Array<[string, RequestListener]> = [
    ['no HTML', (_request, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end('x')],
    ['no type', (_request, response) => void response.writeHead(200).end(PAGE)],
    ['a reset', (_request, response) => void response.socket?.destroy()],
    ['a page without end', (_request, response) => flood(response.writeHead(200, HTML))],
    ['a broken gzip', (_request, response) => void response.writeHead(200, zipped('gzip')).end('no')],
    ['another compression', (_request, response) => void response.writeHead(200, zipped('zstd')).end('no')],
    ['half a page', (_request, response) => half(response.writeHead(200, { ...HTML, 'content-length': '100' }))],
    ['an endless redirect', (_request, response) => void response.writeHead(302, { location: '/' }).end()],
  ]
  test.each(failing)('by %s is 502', async (_name, act) => {
    site.answer((request, response) => act(request as never, response))
    expect(await fetchPage(site.url)).toMatchObject({ status: 502, body: { code: 'target_failed' } })
  })
  test('by a closed port is 502', async () => {
    expect(await fetchPage('http://127.0.0.1:1/')).toMatchObject({ status: 502 })
  })
  test('by being slow is 504, however it is slow', async () => {
    const quick = createOutboundHttp({ allowCidrs: ['127.0.0.0/8'], development: true })
    const page = (request: Parameters<typeof quick.page>[0]) => {
      expect(request.timeoutMs).toBe(5_000)
      return quick.page({ ...request, timeoutMs: 60 })
    }
    const factory = vi.spyOn(server.services.factories, 'outboundHttp').mockReturnValue({ ...quick, page })
    site.answer(() => {})
    expect(await fetchPage(site.url)).toMatchObject({ status: 504, body: { code: 'target_slow' } })
    site.answer((_request, response) => drip(response.writeHead(200, HTML)))
    expect(await fetchPage(site.url)).toMatchObject({ status: 504 })
    factory.mockRestore()
    await quick.close()
  })
})

test('in production no other port is read, whatever the operator allows', async () => {
  const local = createServer((_request, response) => void response.writeHead(200, HTML).end(PAGE))
  await new Promise<void>((resolve) => local.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(local.address() as AddressInfo).port}/`
  const http = createOutboundHttp({ allowCidrs: ['127.0.0.0/8'] })
  await expect(http.page({ url, userAgent: 'a', timeoutMs: 5_000 })).rejects.toThrow('not allowed')
  await http.close()
  await new Promise((resolve) => local.close(resolve))
})

type Response = Parameters<RequestListener>[1]

function zipped(encoding: string) {
  return { ...HTML, 'content-encoding': encoding }
}

function half(response: Response): void {
  response.write('part', () => response.socket?.destroy())
}

function flood(response: Response): void {
  const timer = setInterval(() => response.write('x'.repeat(65_536)), 1)
  response.on('close', () => clearInterval(timer))
}

function drip(response: Response): void {
  const timer = setInterval(() => response.write('.'), 10)
  response.on('close', () => clearInterval(timer))
}
