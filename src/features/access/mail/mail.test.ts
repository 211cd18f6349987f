import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { EmailMessage } from '../../../platform/ports/email-port.ts'
import { parseId } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { recordEmail, type RecordingEmail } from '../../../testing/recording-email.ts'
import { afterAttempt, errorCode } from './outbox.service.ts'
import { prepareEmail, stageEmail, stageEmailToEach, stagePrepared, type NewEmail } from './mail.service.ts'
import { claimDue, newLease } from '../../../platform/work/leases.ts'
import { eraseMail, JOBS } from './mail.store.ts'
import { sendMailSweep } from './mail.feature.ts'

const MAIL: NewEmail = { kind: 'test', to: 'ada@example.com', subject: 'Hello', text: 'The body of a mail.' }

let server: TestServer
let mail: RecordingEmail
let owner: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
  mail = recordEmail(server)
  owner = await createWorkspace(server)
})
beforeEach(async () => {
  await server.peek('delete from outgoing_emails')
  mail.failWith = null
  mail.sent.length = 0
  mail.begun = 0
  mail.hold = null
})
afterAll(() => server.close())

interface Row {
  status: string
  attempts: number
  sealed: string | null
  next_attempt_at: Date | null
  last_error: string | null
}

const rows = () =>
  server.peek<Row>('select status, attempts, sealed, next_attempt_at, last_error from outgoing_emails order by id')
const send = () => runSweep(server, sendMailSweep)

function inWorkspace<T>(workspace: TestWorkspace, work: (scope: Scope) => Promise<T>): Promise<T> {
  const tenantId = parseId('workspace', workspace.workspaceId)
  if (!tenantId) throw new Error('not a workspace')
  return server.services.run((system) => work(system.tenant(tenantId, { type: 'system' })))
}

const stage = (email: NewEmail = MAIL, workspace = owner) =>
  inWorkspace(workspace, (scope) => scope.tx((tx) => stageEmail(scope, tx, email)))

test('a staged mail is sealed, sent once, and keeps no body', async () => {
  await stage()
  const [staged] = await rows()
  expect(staged).toMatchObject({ status: 'pending', attempts: 0 })
  expect(staged?.sealed).not.toContain('ada@example.com')
  expect(await send()).toBe(1)
  expect(mail.sent).toEqual([
    {
      to: 'ada@example.com',
      subject: 'Hello',
      text: 'The body of a mail.',
      html: expect.stringContaining('The body of a mail.</p>'),
      idempotencyKey: expect.stringMatching(/^mail_/),
    },
  ])
  expect(await rows()).toEqual([{ status: 'sent', attempts: 1, sealed: null, next_attempt_at: null, last_error: null }])
  expect(await send()).toBe(0)
})

test('a mail to many is stored once, and goes with the last of them', async () => {
  const { to: _to, ...content } = MAIL
  const picture = { name: 'chart.png', type: 'image/png', base64: 'AAAA'.repeat(50_000) }
  const people = Array.from({ length: 25 }, (_, at) => `person${at}@example.com`)
  await inWorkspace(owner, (scope) =>
    scope.tx((tx) => stageEmailToEach(scope, tx, { ...content, attachments: [picture] }, people)),
  )
  const contents = () => server.peek<{ bytes: number }>('select length(sealed) as bytes from outgoing_email_contents')
  const [own] = await server.peek<{ most: number }>('select max(length(sealed)) as most from outgoing_emails')
  expect(own?.most).toBeLessThan(500)
  expect(await contents()).toHaveLength(1)
  expect(JSON.stringify(await server.peek('select sealed from outgoing_email_contents'))).not.toContain('The body')
  mail.failFor = 'person7@example.com'
  expect(await send()).toBe(25)
  expect(await contents()).toHaveLength(1)
  mail.failFor = null
  server.clock.advance(30_000)
  expect(await send()).toBe(1)
  expect(mail.sent.map(({ to }) => to).sort()).toEqual(people.toSorted())
  expect(new Set(mail.sent.map(({ text, attachments }) => `${text} ${attachments?.[0]?.base64}`)).size).toBe(1)
  expect(await contents()).toEqual([])
})

test('a large mail is written, encrypted and read in steps, and others go on between them', async () => {
  const { to: _to, ...content } = MAIL
  const attachments = [{ name: 'report.pdf', type: 'application/pdf', base64: 'A'.repeat(1_000_000) }]
  const steps: string[] = []
  const [write, read] = [JSON.stringify, JSON.parse]
  const note = (step: string, size: number) => {
    if (size < 1_000_000) return
    steps.push(step)
    setImmediate(() => steps.push('others'))
  }
  vi.spyOn(JSON, 'stringify').mockImplementation((...given: Parameters<typeof write>) => {
    const text = write(...given)
    if (text?.includes('report.pdf')) note('written', text.length)
    return text
  })
  vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    if (text.includes('report.pdf')) note('read', text.length)
    return read(text, reviver)
  })
  await inWorkspace(owner, async (scope) => {
    const { seal, open } = scope.secrets
    const sealing = vi.spyOn(scope.secrets, 'seal').mockImplementation((text, context) => {
      note('encrypted', text.length)
      return seal(text, context)
    })
    const opening = vi.spyOn(scope.secrets, 'open').mockImplementation((sealed, context) => {
      note('decrypted', sealed.length)
      return open(sealed, context)
    })
    const prepared = await prepareEmail(scope, { ...content, attachments })
    await scope.tx((tx) => stagePrepared(scope, tx, prepared, ['ada@example.com']))
    expect(await send()).toBe(1)
    sealing.mockRestore()
    opening.mockRestore()
  })
  vi.restoreAllMocks()
  expect(mail.sent[0]?.attachments).toEqual(attachments)
  const done = steps.filter((step) => step !== 'others')
  expect(done).toEqual(['written', 'encrypted', 'decrypted', 'read'])
  for (const step of done.slice(0, -1)) expect(steps[steps.indexOf(step) + 1], step).toBe('others')
})

test.each(['attachments', 'html'] as const)(
  'large mails (%s) are sent by fours, and those whose turn comes late are due again',
  async (weight) => {
    const { to: _to, ...content } = MAIL
    const attachments = [{ name: 'report.pdf', type: 'application/pdf', base64: 'A'.repeat(300_000) }]
    const heavy = weight === 'html' ? { html: 'A'.repeat(300_000) } : { attachments }
    const people = Array.from({ length: 9 }, (_, at) => `person${at}@example.com`)
    await inWorkspace(owner, (scope) => scope.tx((tx) => stageEmailToEach(scope, tx, { ...content, ...heavy }, people)))
    await stage()
    const hold = Promise.withResolvers<void>()
    mail.hold = hold.promise
    const sending = send()
    await expect.poll(() => mail.begun).toBe(5)
    server.clock.advance(11_000)
    const waiting = async () => (await rows()).filter(({ status }) => status === 'pending')
    expect(await waiting()).toHaveLength(10)
    mail.hold = null
    hold.resolve()
    expect(await sending).toBe(15)
    expect(mail.begun).toBe(10)
    expect(await rows()).toEqual(Array(10).fill(expect.objectContaining({ status: 'sent', attempts: 1 })))
  },
)

test('a large mail that is erased while it waits for its turn is not sent', async () => {
  const { to: _to, ...content } = MAIL
  const people = Array.from({ length: 9 }, (_, at) => `person${at}@example.com`)
  const mails = { ...content, html: 'A'.repeat(300_000) }
  await inWorkspace(owner, (scope) => scope.tx((tx) => stageEmailToEach(scope, tx, mails, people)))
  const hold = Promise.withResolvers<void>()
  mail.hold = hold.promise
  const sending = send()
  await expect.poll(() => mail.begun).toBe(4)
  const ids = await server.peek<{ id: string }>('select id from outgoing_emails')
  await inWorkspace(owner, (scope) =>
    scope.tx((tx) =>
      eraseMail(
        tx,
        ids.map(({ id }) => id),
        scope.clock.now(),
      ),
    ),
  )
  mail.hold = null
  hold.resolve()
  await sending
  expect(mail.begun).toBe(4)
})

test('a mail whose cause rolls back is never sent', async () => {
  const failed = inWorkspace(owner, (scope) =>
    scope.tx(async (tx) => {
      await stageEmail(scope, tx, MAIL)
      throw new Error('the cause failed')
    }),
  )
  await expect(failed).rejects.toThrow('the cause failed')
  expect(await send()).toBe(0)
})

test('a mail is tried five times with growing pauses, then given up without its body', async () => {
  await stage()
  mail.failWith = Object.assign(new Error('550 no such user ada@example.com'), { code: 'EENVELOPE' })
  const pauses: number[] = []
  for (let attempt = 1; attempt <= 5; attempt++) {
    expect(await send()).toBe(1)
    expect(await send()).toBe(0)
    const [row] = await rows()
    expect(row).toMatchObject({
      attempts: attempt,
      last_error: 'EENVELOPE',
      status: attempt < 5 ? 'pending' : 'failed',
    })
    if (!row?.next_attempt_at) break
    pauses.push((row.next_attempt_at.getTime() - server.clock.now().getTime()) / 1000)
    server.clock.set(row.next_attempt_at)
  }
  expect(pauses).toEqual([30, 120, 600, 3600])
  expect((await rows())[0]).toMatchObject({ status: 'failed', attempts: 5, sealed: null, next_attempt_at: null })
  server.clock.advance(86_400_000)
  expect(await send()).toBe(0)
})

test('a mail that failed once arrives with the same idempotency key', async () => {
  const keys: string[] = []
  await stage()
  const { services } = server
  const before = services.factories.email
  Object.assign(services.factories, {
    email: () => ({
      async send(message: { idempotencyKey: string }) {
        keys.push(message.idempotencyKey)
        if (keys.length === 1) throw new Error('not now')
      },
    }),
  })
  await send()
  server.clock.advance(30_000)
  await send()
  Object.assign(services.factories, { email: before })
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBe(keys[1])
  expect((await rows())[0]).toMatchObject({ status: 'sent', attempts: 2 })
})

test('the provider is called with no transaction open, and two workers never take the same mail', async () => {
  for (let i = 0; i < 15; i++) await stage({ ...MAIL, subject: `Mail ${i}` })
  const open: number[] = []
  const before = server.services.factories.email
  Object.assign(server.services.factories, {
    email: () => ({
      async send(message: { subject: string }) {
        const [row] = await server.peek<{ count: number }>(
          `select count(*)::int as count from pg_stat_activity where datname = current_database() and xact_start is not null and pid <> pg_backend_pid() and state = 'idle in transaction'`,
        )
        open.push(row?.count ?? -1)
        mail.sent.push(message as RecordingEmail['sent'][number])
      },
    }),
  })
  const done = await Promise.all([send(), send()])
  Object.assign(server.services.factories, { email: before })
  expect(done.reduce((sum, count) => sum + count, 0)).toBe(15)
  expect(new Set(mail.sent.map((message) => message.subject)).size).toBe(15)
  expect(mail.sent).toHaveLength(15)
  expect(Math.min(...open)).toBe(0)
})

test('a mail whose worker stalls is sent after its lease by another, and the late answer changes nothing', async () => {
  await stage()
  const stalling = Promise.withResolvers<void>()
  const before = server.services.factories.email
  Object.assign(server.services.factories, { email: () => ({ send: () => stalling.promise }) })
  const stalled = send()
  await expect
    .poll(async () => (await server.peek('select 1 from outgoing_emails where lease_token is not null')).length)
    .toBe(1)
  Object.assign(server.services.factories, { email: before })
  server.clock.advance(299_999)
  expect(await send()).toBe(0)
  server.clock.advance(1)
  expect(await send()).toBe(1)
  expect(mail.sent).toHaveLength(1)
  stalling.reject(new Error('too late'))
  await stalled
  expect(await rows()).toMatchObject([{ status: 'sent', attempts: 1, last_error: null }])
})

test('mail that another worker is claiming at this moment is skipped, not waited for', async () => {
  await stage()
  const now = server.clock.now()
  const claimed = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const other = inWorkspace(owner, (scope) =>
    scope.tx(async (tx) => {
      await claimDue(tx, JOBS, { now, lease: newLease(now), limit: 10 })
      claimed.resolve()
      await released.promise
    }),
  )
  await claimed.promise
  expect(await send()).toBe(0)
  released.resolve()
  await other
})

test('one workspace’s pile does not keep another’s mail waiting for its end', async () => {
  const other = await createWorkspace(server)
  for (let i = 0; i < 25; i++) await stage({ ...MAIL, to: `pile-${i}@example.com` })
  await stage({ ...MAIL, to: 'other@example.com' }, other)
  expect(await send()).toBe(26)
  expect(mail.sent.findIndex((message) => message.to === 'other@example.com')).toBeLessThanOrEqual(20)
})

test('an error is known by its code, never by a message that may quote the recipient', () => {
  expect(errorCode(Object.assign(new Error('no such user ada@example.com'), { code: 'EENVELOPE' }))).toBe('EENVELOPE')
  expect(errorCode(new TypeError('ada@example.com'))).toBe('TypeError')
  expect(errorCode('ada@example.com')).toBe('unknown')
  expect(afterAttempt(0, null, new Date(0))).toEqual({
    status: 'sent',
    attempts: 1,
    nextAttemptAt: null,
    lastError: null,
  })
})

test('a provider that hangs holds up the mails of that workspace alone, also those that come later', async () => {
  const other = await createWorkspace(server)
  const { promise: hanging, resolve: answer } = Promise.withResolvers<void>()
  const { promise: laterStaged, resolve: goOn } = Promise.withResolvers<void>()
  const begun: string[] = []
  const before = server.services.factories.email
  Object.assign(server.services.factories, {
    email: (...given: Parameters<typeof before>) => {
      const port = before(...given)
      return {
        async send(message: EmailMessage) {
          begun.push(message.to)
          await (message.to === 'hangs@example.com' ? hanging : laterStaged)
          return port.send(message)
        },
      }
    },
  })
  await stage({ ...MAIL, to: 'hangs@example.com' })
  await stage(MAIL, other)
  const sweep = send()
  await expect.poll(() => begun).toHaveLength(2)
  await stage({ ...MAIL, subject: 'Later' }, other)
  goOn()
  await expect.poll(() => mail.sent.map(({ subject }) => subject)).toEqual(['Hello', 'Later'])
  answer()
  expect(await sweep).toBe(3)
  Object.assign(server.services.factories, { email: before })
})
