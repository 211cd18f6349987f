import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLog } from '../platform/config/log.ts'
import { createWorkspace } from '../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../testing/harness.ts'
import { callerBase } from './limits/client-address.ts'
import { internal, Problem, unavailable } from './problems/problem.ts'
import { systemRoute } from './routes/route.ts'

let server: TestServer
let base: string
let lines: string[]
beforeAll(async () => {
  server = await startTestServer({
    log: createLog('debug', { write: (line) => void lines.push(line) }),
    poolSize: 4,
    extraRoutes: [
      failing('busy', new Problem(503, 'busy', { detail: 'Wait.', retryAfter: 5 })),
      failing('unavailable', unavailable()),
      failing('broken', new Error('a fault of ours')),
      failing('internal', internal()),
    ],
  })
  base = await server.listen()
})
afterAll(() => server.close())
beforeEach(() => {
  lines = []
})

const failing = (name: string, error: Error) =>
  systemRoute({
    method: 'get',
    path: `/test/${name}`,
    operationId: `${name}Test`,
    summary: 'Fails',
    tag: 'Test',
    response: { status: 200, contentType: 'text/plain' },
    handler: () => Promise.reject(error),
  })

/** The bytes of a request as they are, and the whole answer. */
async function raw(request: string): Promise<string> {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
  socket.on('error', () => {})
  socket.write(request)
  await once(socket, 'close')
  return text
}

test.each([
  ['a Host that is none', 'GET /health HTTP/1.1\r\nhost: a b/c\r\nconnection: close\r\n\r\n', 400],
  ['a missing Host', 'GET /health HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
  ['a second Host', 'GET /health HTTP/1.1\r\nhost: x\r\nHOST: y\r\nconnection: close\r\n\r\n', 400],
  ['the same Host twice', 'GET /health HTTP/1.1\r\nhost: x\r\nhost: x\r\nconnection: close\r\n\r\n', 400],
  [
    'a second Host beside an absolute target',
    'GET http://x/health HTTP/1.1\r\nhost: x\r\nhost: y\r\nconnection: close\r\n\r\n',
    400,
  ],
  ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 400],
  ['a path with a backslash', 'GET /a\\b HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 400],
  ['a line that is not HTTP', 'nonsense\r\n\r\n', 400],
  ['headers past 16 KiB', `GET /health HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['an expectation that cannot be met', 'GET /health HTTP/1.1\r\nhost: x\r\nexpect: miracles\r\n\r\n', 417],
  ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n', 405],
])('%s is answered with a problem that has a request id', async (_name, request, status) => {
  const [head = '', body = ''] = (await raw(request)).split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(head).toMatch(/^content-type: application\/problem\+json$/im)
  const id = /^x-request-id: (req_\S+)$/im.exec(head)?.[1]
  expect(JSON.parse(body)).toMatchObject({
    status,
    code: expect.any(String),
    detail: expect.any(String),
    request_id: id,
  })
  expect(head).toMatch(new RegExp(`^content-length: ${Buffer.byteLength(body)}$`, 'im'))
})

test.each(['busy', 'unavailable'])(
  'a problem %s of our own is one warning in the log, without a stack',
  async (code) => {
    expect((await server.request('GET', `/test/${code}`)).status).toBe(503)
    const logged = lines.map((line) => JSON.parse(line)).filter((line) => /^(?:error|warn)$/.test(line.level))
    expect(logged).toMatchObject([
      { level: 'warn', code, route: `${code}Test`, requestId: expect.stringMatching(/^req_/) },
    ])
    expect(JSON.stringify(logged)).not.toMatch(/stack|\.ts:/)
  },
)

test.each(['broken', 'internal'])('any other failure (%s) is an error in the log, with its stack', async (name) => {
  expect((await server.request('GET', `/test/${name}`)).status).toBe(500)
  const logged = lines.map((line) => JSON.parse(line)).filter((line) => /^(?:error|warn)$/.test(line.level))
  expect(logged).toMatchObject([{ level: 'error', err: { stack: expect.stringMatching(/\.ts\b.*:\d+/) } }])
})

test('an upload that its sender breaks off is no error in the log', async () => {
  const { token } = await createWorkspace(server)
  const { hostname, port } = new URL(base)
  // A body of unknown length begins once 256 KiB are here.
  for (const [framing, piece] of [
    ['content-length: 400000', '{"a":'],
    ['transfer-encoding: chunked', `493e0\r\n${' '.repeat(300_000)}`],
  ]) {
    lines = []
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write(
      `POST /v1/surveys HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n${framing}\r\n\r\n${piece}`,
      () => setImmediate(() => socket.destroy()),
    )
    await expect.poll(() => lines.filter((line) => line.includes('"createSurvey"'))).toHaveLength(1)
    expect(lines.filter((line) => /"level":"(?:error|warn)"/.test(line))).toEqual([])
  }
})

test('the log of a lost database connection says what was lost', async () => {
  await server.request('GET', '/health/ready')
  await server.peek(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'earshot' and datname = current_database() and pid <> pg_backend_pid()`,
  )
  await expect
    .poll(() => lines.filter((line) => line.includes('an idle database connection was lost')).length)
    .toBeGreaterThan(0)
  for (const line of lines) expect(line).not.toContain('[object Object]')
  expect(lines.find((line) => line.includes('was lost'))).toMatch(/"reason":"[^"]*terminat/i)
})

test.each([
  ['192.0.2.1', 'https', 'feedback.example', 'http://own.example:8080'],
  ['10.0.0.1', 'https', 'feedback.example', 'https://feedback.example'],
  ['::ffff:10.0.0.1', 'HTTPS', undefined, 'https://own.example:8080'],
  ['10.0.0.1', 'http, https', 'evil.example, feedback.example:8443', 'https://feedback.example:8443'],
  ['10.0.0.1', 'gopher', 'feedback.example/path', 'http://own.example:8080'],
  ['10.0.0.1', undefined, undefined, 'http://own.example:8080'],
])('from %s, forwarded as %s and %s, the caller used %s', (socket, forwardedProto, forwardedHost, used) => {
  const request = { secure: false, host: 'own.example:8080', forwardedProto, forwardedHost }
  expect(callerBase(socket, request, (address) => address.startsWith('10.'))).toBe(used)
})

test('an address without a route shows a browser a page in its language, and others a problem', async () => {
  const page = await server.request('GET', '/nowhere', {
    headers: { accept: 'text/html,*/*', 'accept-language': 'de' },
  })
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(page.text).toContain('Diese Seite gibt es nicht')
  expect(page.text).toContain(`Kennung: ${page.headers.get('x-request-id')}`)
  const problem = await server.request('GET', '/nowhere')
  expect([problem.status, problem.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
})
