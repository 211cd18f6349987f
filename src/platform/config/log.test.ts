import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createInvitation, createWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { createLog, linesForPeople } from './log.ts'

const output: string[] = []
const sink = { write: (text: string) => void output.push(text) }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ log: createLog('info', linesForPeople(sink, { colours: false })) })
})
beforeEach(() => void (output.length = 0))
afterAll(() => server.close())

test('a request is one line with time, method, path, status and duration', async () => {
  await server.request('GET', '/health?debug=1')
  expect(output).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d GET    \/health 200 \d+ ms\n$/)])
})

test('no line about a request shows a token, a query, or what may name a person', async () => {
  const { token, email } = await createWorkspace(server)
  const invitation = await createInvitation(server, token, 'viewer')
  output.length = 0
  await server.request('POST', `/public/invitations/${invitation.token}/accept?x=${token}`, {
    body: { password: 'short' },
  })
  await server.request('POST', `/public/invitation/${invitation.token}/accept`)
  await server.request('GET', `/public/unknown/${encodeURIComponent(email)}`)
  await server.request('GET', `/v1/surveys?text=${email}`, { token })
  expect(output.map((line) => line.split(' ').filter(Boolean)[2])).toEqual([
    '/public/invitations/:token/accept',
    '/public/invitation/…/accept',
    '/public/unknown/…',
    '/v1/surveys',
  ])
})

test('other entries are one line of words and details, and an error brings its stack', () => {
  const log = createLog('debug', linesForPeople(sink, { colours: false }))
  log.info({ file: '/tmp/mail/1.html' }, 'an email to open, because EMAIL_PROVIDER is console:')
  log.warn({ sweep: 'mail.send', email: 'ada@example.com' }, 'a sweep was late')
  log.error({ err: new TypeError('broken') }, 'a request failed')
  expect(output[0]).toMatch(
    /^\d\d:\d\d:\d\d an email to open, because EMAIL_PROVIDER is console: {2}\/tmp\/mail\/1.html\n$/,
  )
  expect(output[1]).toMatch(/WARN a sweep was late {2}sweep=mail.send email=\[redacted\]\n$/)
  expect(output[2]).toMatch(/ERROR a request failed\nTypeError: broken\n {4}at /)
})

test('colours tell good from bad answers', () => {
  const log = createLog('info', linesForPeople(sink, { colours: true }))
  for (const status of [200, 404, 500]) log.info({ method: 'GET', path: '/', status, ms: 1 }, 'request')
  const shown = [
    ['32', 200],
    ['33', 404],
    ['31', 500],
  ] as const
  for (const [i, [colour, status]] of shown.entries()) expect(output[i]).toContain(`\u001b[${colour}m${status}`)
})

test('in production the log stays JSON, and requests are lines for debugging', async () => {
  const lines: string[] = []
  const production = await startTestServer({
    log: createLog('debug', { write: (line) => void lines.push(line) }),
    env: {
      ENVIRONMENT: 'production',
      DATABASE_URL: 'postgres://unused/unused',
      PUBLIC_BASE_URL: 'https://feedback.example.com',
    },
  })
  await production.request('GET', '/health')
  await production.close()
  const request = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'request')
  expect(request).toMatchObject({ level: 'debug', method: 'GET', route: 'getHealth', status: 200 })
  expect(request).not.toHaveProperty('path')
})
