import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { stageEmail } from '../../features/access/mail/mail.service.ts'
import { features } from '../../features.ts'
import type { Engine, Feature } from '../../platform/feature.ts'
import { createWorkspace, signUp } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { recordEmail, type RecordingEmail } from '../../testing/recording-email.ts'
import { inWorkspace } from '../../testing/send-fixture.ts'

let server: TestServer
let mail: RecordingEmail
let engines: Record<string, Engine>
beforeAll(async () => {
  server = await startTestServer()
  mail = recordEmail(server)
})
// A worker without its sweeps, so only a wake can send.
beforeEach(async () => {
  mail.sent.length = 0
  const all: Feature[] = features
  engines = Object.fromEntries(
    all
      .flatMap((feature) => Object.entries(feature.engines ?? {}))
      .map(([topic, make]) => [topic, make({ ...server.services, metrics: new Registry() })]),
  )
  await server.services.bus.listen(engines)
})
afterEach(async () => {
  await server.services.bus.stop()
  await Promise.all(Object.values(engines).map((engine) => engine.stop()))
})
afterAll(() => server.close())

const subjects = (to: string) => mail.sent.filter((message) => message.to === to).map(({ subject }) => subject)

test('the mail for a new password leaves without a sweep', async () => {
  const { email } = await createWorkspace(server)
  mail.sent.length = 0
  expect(await server.request('POST', '/public/password-resets', { body: { email } })).toMatchObject({ status: 202 })
  await expect.poll(() => subjects(email)).toEqual([expect.stringMatching(/password/i)])
})

test('two requests for a new password at once mail two links', async () => {
  const { email } = await createWorkspace(server)
  mail.sent.length = 0
  const ask = () => server.request('POST', '/public/password-resets', { body: { email } })
  await Promise.all([ask(), ask()])
  await expect.poll(() => subjects(email)).toHaveLength(2)
})

test('the mail that proves a mailbox leaves without a sweep, at the sign-up and when asked for again', async () => {
  const { email, token } = await signUp(server)
  await expect.poll(() => subjects(email)).toHaveLength(1)
  expect((await server.request('POST', '/v1/me/verification', { token })).status).toBeLessThan(300)
  await expect.poll(() => subjects(email)).toHaveLength(2)
})

test('the invitation of a member leaves without a sweep', async () => {
  const { token } = await createWorkspace(server)
  const roles = await server.request('GET', '/v1/roles?limit=100', { token })
  const email = `member-${randomUUID()}@example.com`
  const body = { email, role_id: roles.body.data[0].id }
  expect((await server.request('POST', '/v1/members/invitations', { token, body })).status).toBe(201)
  await expect.poll(() => subjects(email)).toHaveLength(1)
})

test('a large mail leaves without a sweep', async () => {
  const owner = await createWorkspace(server)
  const to = `large-${randomUUID()}@example.com`
  const email = { kind: 'test', to, subject: 'Report', text: 'Report', html: 'A'.repeat(300_000) }
  await inWorkspace(server, owner, (scope) => scope.tx((tx) => stageEmail(scope, tx, email)))
  await expect.poll(() => subjects(to)).toEqual(['Report'])
})

test('a mail that fails waits for its next time, and does not keep the engine busy', async () => {
  const { email } = await createWorkspace(server)
  await server.peek('delete from outgoing_emails')
  mail.failWith = new Error('not now')
  await server.request('POST', '/public/password-resets', { body: { email } })
  const attempts = () =>
    server.peek('select attempts, status from outgoing_emails where lease_token is null and attempts > 0')
  await expect.poll(attempts).toEqual([{ attempts: 1, status: 'pending' }])
  mail.failWith = null
  await Promise.all(Object.values(engines).map((engine) => engine.stop()))
  expect(await attempts()).toEqual([{ attempts: 1, status: 'pending' }])
})
