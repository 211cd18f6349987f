import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createWorkspace, runSweep, tokenIn, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { recordEmail } from '../../../testing/recording-email.ts'
import { sendMailSweep } from '../mail/mail.feature.ts'
import { mailResetsSweep } from '../password-resets/password-resets.feature.ts'
import { oldSignInAttemptsSweep } from './sessions.feature.ts'

vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>()
  return { ...real, hash: vi.fn(real.hash) }
})

const DAY_MS = 24 * 3_600_000
const OWN = '192.0.2.1'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { TRUSTED_PROXIES: '127.0.0.0/8' } })
})
afterAll(() => server.close())

const signIn = (ip: string, email: string, password = 'not the password') =>
  server.request('POST', '/public/sessions', { body: { email, password }, headers: { 'x-forwarded-for': ip } })

let strangers = 0
const stranger = () => `203.0.${113 + Math.floor(++strangers / 250)}.${strangers % 250}`

async function personAt(ip: string): Promise<TestWorkspace> {
  const person = await createWorkspace(server)
  expect((await signIn(ip, person.email, person.password)).status).toBe(201)
  return person
}

async function wrongFromStrangers(email: string, times: number): Promise<number[]> {
  const statuses = []
  for (let i = 0; i < times; i++) statuses.push((await signIn(stranger(), email)).status)
  return statuses
}

test('wrong passwords from elsewhere never keep a person out of an address that they signed in from', async () => {
  const { email, password } = await personAt(OWN)
  const statuses = await wrongFromStrangers(email, 12)
  expect(statuses).toEqual([...Array(11).fill(401), 429])
  expect((await signIn(OWN, email, password)).status).toBe(201)
  for (let i = 0; i < 9; i++) expect((await signIn(OWN, email)).status).toBe(401)
  expect((await signIn(OWN, email, password)).status).toBe(201)
})

test('the delay of new addresses doubles with each wrong password up to 15 minutes, and a try during it costs nothing', async () => {
  const { email, password } = await personAt(OWN)
  await wrongFromStrangers(email, 10)
  const delays = []
  for (let i = 0; i < 13; i++) {
    expect((await signIn(stranger(), email)).status).toBe(401)
    vi.mocked(hash).mockClear()
    const refused = await signIn(stranger(), email, password)
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(refused.headers.get('retry-after')).toBe(String(refused.body.retry_after))
    expect(hash).not.toHaveBeenCalled()
    delays.push(refused.body.retry_after)
    server.clock.advance(refused.body.retry_after * 1000 - 1)
    expect((await signIn(stranger(), email, password)).status).toBe(429)
    server.clock.advance(1)
  }
  expect(delays).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
  const arrived = stranger()
  expect((await signIn(arrived, email, password)).status).toBe(201)
  await wrongFromStrangers(email, 2)
  expect((await signIn(arrived, email, password)).status).toBe(201)
})

test('many attempts at once from new addresses are no more than many in a row', async () => {
  const { email } = await personAt(OWN)
  vi.mocked(hash).mockClear()
  const answers = await Promise.all(Array.from({ length: 30 }, () => signIn(stranger(), email)))
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(11)
  expect(hash).toHaveBeenCalledTimes(11)
})

test('an unknown account is answered, delayed and verified like a known one', async () => {
  const { email } = await personAt(OWN)
  const seen = []
  for (const address of [email, 'nobody-at-all@example.com']) {
    vi.mocked(hash).mockClear()
    server.statements.length = 0
    const answers = []
    for (let i = 0; i < 13; i++) answers.push(await signIn(stranger(), address))
    const bodies = answers.map(({ text, body }) => text.replace(body.request_id, ''))
    seen.push({
      bodies,
      verified: vi.mocked(hash).mock.calls.length,
      statements: server.statements.map(({ text }) => text),
    })
  }
  expect(seen[0]).toEqual(seen[1])
  const fromOne = []
  for (let i = 0; i < 11; i++) fromOne.push((await signIn('198.51.100.9', 'nobody-either@example.com')).status)
  expect(fromOne).toEqual([...Array(10).fill(401), 429])
})

test('right passwords use nothing up, and wrong ones count for one address and one account alone', async () => {
  const { email, password } = await personAt(OWN)
  const other = await personAt(OWN)
  for (let i = 0; i < 15; i++) expect((await signIn(OWN, email, password)).status).toBe(201)
  for (let i = 0; i < 10; i++) expect((await signIn(OWN, email)).status).toBe(401)
  const refused = await signIn(OWN, email, password)
  expect(refused.status).toBe(429)
  expect(refused.body.retry_after).toBeGreaterThan(0)
  expect((await signIn(OWN, other.email, other.password)).status).toBe(201)
  expect((await signIn('192.0.2.2', email, password)).status).toBe(201)
})

test('a /64 of IPv6 counts as one address, in every limit that goes by address', async () => {
  const { email, password } = await personAt('2001:db8:1:1::1')
  for (let i = 0; i < 10; i++) expect((await signIn(`2001:db8:1:2::${i}`, email)).status).toBe(401)
  expect((await signIn('2001:db8:1:2:ffff:ffff:ffff:ffff', email, password)).status).toBe(429)
  expect((await signIn('2001:db8:1:3::1', email, password)).status).toBe(201)
  await wrongFromStrangers(email, 2)
  expect((await signIn('2001:db8:1:1:ffff::9', email, password)).status).toBe(201)

  const keys = async () =>
    new Set(
      (await server.peek<{ key: string }>(`select key from rate_limits where key ~ '_address:'`)).map(({ key }) => key),
    )
  const before = await keys()
  for (const ip of ['2001:db8:2:1::1', '2001:db8:2:1::2']) {
    const headers = { 'x-forwarded-for': ip }
    await server.request('POST', '/public/password-resets', { body: { email: 'x@example.com' }, headers })
    await server.request('POST', '/public/workspaces', {
      body: { workspace_name: 'W', name: 'A', email, password },
      headers,
    })
    await server.request('POST', '/public/sessions', { body: { email, password }, headers })
  }
  expect((await keys()).size - before.size).toBe(3)
})

test('a password set by mail lets its address in, however much strangers guess', async () => {
  const { email } = await personAt(OWN)
  await wrongFromStrangers(email, 11)
  const headers = { 'x-forwarded-for': '198.51.100.77' }
  const mail = recordEmail(server)
  await server.request('POST', '/public/password-resets', { body: { email }, headers })
  await runSweep(server, mailResetsSweep)
  await runSweep(server, sendMailSweep)
  const token = tokenIn(mail.sent.find((message) => message.to === email)?.text)
  const password = 'another long password'
  expect((await signIn('198.51.100.77', email, password)).status).toBe(429)
  expect(
    (await server.request('POST', `/public/password-resets/${token}`, { body: { password }, headers })).status,
  ).toBe(204)
  expect((await signIn('198.51.100.77', email, password)).status).toBe(201)
})

test('neither addresses nor accounts stand in the tables in the clear, and each row goes with its time', async () => {
  const { email } = await personAt(OWN)
  await signIn(stranger(), email)
  const rows = await server.peek<{ row: string }>(`
    select k::text as row from known_addresses k union all select d::text from sign_in_delays d union all select r::text from rate_limits r`)
  expect(rows.length).toBeGreaterThan(3)
  for (const { row } of rows) expect(row).not.toMatch(/192\.0\.2|203\.0|2001:db8|@/)

  const count = async (table: string) => (await server.peek(`select 1 from ${table}`)).length
  server.clock.advance(DAY_MS + 1)
  await runSweep(server, oldSignInAttemptsSweep)
  expect(await count('sign_in_delays')).toBe(0)
  expect(await count('known_addresses')).toBeGreaterThan(0)
  server.clock.advance(90 * DAY_MS)
  await runSweep(server, oldSignInAttemptsSweep)
  expect(await count('known_addresses')).toBe(0)
})
