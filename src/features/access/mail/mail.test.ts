import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { EmailMessage, EmailPort } from '../../../platform/ports/email-port.ts'
import { parseId } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { ProviderError } from '../../../platform/ports/provider.ts'
import { createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { recordEmail, type RecordingEmail } from '../../../testing/recording-email.ts'
import { afterAttempt, errorCode } from './outbox.service.ts'
import { createOpener, prepareEmail, stageEmail, stageEmailToEach, type NewEmail } from './mail.service.ts'
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
async function eraseAll(): Promise<void> {
  const found = await server.peek<{ id: string }>('select id from outgoing_emails')
  const ids = found.map(({ id }) => id)
  await inWorkspace(owner, (scope) => scope.tx((tx) => eraseMail(tx, ids, scope.clock.now())))
}

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

test('a mail that is erased while it waits for a connection is not sent', async () => {
  await stage()
  await stage()
  const before = server.services.factories.email
  const taken: string[] = []
  const port: EmailPort = {
    async send({ idempotencyKey }, check) {
      if (taken.length === 0) await eraseAll()
      taken.push('asked')
      await check?.()
      taken.push(idempotencyKey)
      return { providerId: idempotencyKey }
    },
  }
  Object.assign(server.services.factories, { email: () => port })
  await send()
  Object.assign(server.services.factories, { email: before })
  expect(taken).toEqual(['asked', 'asked'])
  expect(await rows()).toEqual(Array(2).fill(expect.objectContaining({ status: 'failed', last_error: 'erased' })))
})

test('a mail whose outcome cannot be recorded keeps no other from being recorded', async () => {
  await server.peek(`alter table outgoing_emails add constraint cursed check (kind <> 'cursed' or status <> 'sent')`)
  onTestFinished(async () => void (await server.peek('alter table outgoing_emails drop constraint cursed')))
  await stage({ ...MAIL, kind: 'cursed' })
  for (let n = 0; n < 4; n++) await stage()
  expect(await send()).toBe(5)
  expect((await rows()).map(({ status }) => status)).toEqual(['pending', 'sent', 'sent', 'sent', 'sent'])
})

test('a content that could not be read is read again for the next mail', async () => {
  await inWorkspace(owner, async (scope) => {
    const content = { subject: 'Hello', text: 'Hello.' }
    const { contentId, sealed } = await prepareEmail(scope, { kind: 'test', ...content })
    const rowsOf = (id: string) => ({
      id,
      sealed: scope.secrets.seal(JSON.stringify({ to: `${id}@example.com` }), `outgoing_emails:${id}`),
      content_id: contentId,
    })
    let reads = 0
    const open = createOpener(scope, async () => {
      reads += 1
      if (reads === 1) throw new Error('the database is away')
      return sealed
    })
    await expect(open(rowsOf('one'))).rejects.toThrow('away')
    expect(await open(rowsOf('two'))).toEqual({ ...content, to: 'two@example.com' })
    expect(await open(rowsOf('three'))).toEqual({ ...content, to: 'three@example.com' })
    expect(reads).toBe(2)
  })
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

test('a provider that takes no mail right now, however often it says so, costs no attempt', async () => {
  await stage()
  for (const [asked, waited] of [...Array<[null, number]>(6).fill([null, 10]), [45, 45], [86_400, 3_600]] as const) {
    mail.failWith = new ProviderError('smtp_ebusy', 'throttled', asked)
    expect(await send()).toBe(1)
    const [row] = await rows()
    expect(row).toMatchObject({ status: 'pending', attempts: 0, last_error: 'smtp_ebusy' })
    expect(row?.next_attempt_at).toEqual(new Date(server.clock.now().getTime() + waited * 1_000))
    server.clock.advance(waited * 1_000)
  }
  mail.failWith = null
  await send()
  expect((await rows())[0]).toMatchObject({ status: 'sent', attempts: 1 })
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
