import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { EmailMessage } from '../../../platform/ports/email-port.ts'
import { createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { recordEmail, whileProvider, type RecordingEmail } from '../../../testing/recording-email.ts'
import { inWorkspace as workIn } from '../../../testing/send-fixture.ts'
import type { Scope } from '../../../platform/scope.ts'
import { prepareEmail, stageEmail, stageEmailToEach, stagePrepared, type NewEmail } from './mail.service.ts'
import { eraseMail } from './mail.store.ts'
import { sendLargeMailSweep, sendMailSweep } from './mail.feature.ts'

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
  mail.sent.length = 0
})
afterAll(() => server.close())

const sendLarge = () => runSweep(server, sendLargeMailSweep)
const rows = () => server.peek('select status, attempts, last_error from outgoing_emails order by id')
const inWorkspace = <T>(workspace: TestWorkspace, work: (scope: Scope) => Promise<T>) => workIn(server, workspace, work)

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
    expect(await sendLarge()).toBe(1)
    sealing.mockRestore()
    opening.mockRestore()
  })
  vi.restoreAllMocks()
  expect(mail.sent[0]?.attachments).toEqual(attachments)
  const done = steps.filter((step) => step !== 'others')
  expect(done).toEqual(['written', 'encrypted', 'decrypted', 'read'])
  for (const step of done.slice(0, -1)) expect(steps[steps.indexOf(step) + 1], step).toBe('others')
})

describe.each(['attachments', 'html'] as const)('large mails (%s)', (weight) => {
  const attachments = [{ name: 'report.pdf', type: 'application/pdf', base64: 'A'.repeat(300_000) }]
  const heavy = weight === 'html' ? { html: 'A'.repeat(300_000) } : { attachments }
  const stageLarge = (many: number, workspace = owner) => {
    const { to: _to, ...content } = MAIL
    const people = Array.from({ length: many }, (_, at) => `person${at}@example.com`)
    return inWorkspace(workspace, (scope) =>
      scope.tx((tx) => stageEmailToEach(scope, tx, { ...content, ...heavy }, people)),
    )
  }
  /** Sends what is due while large mails wait in the provider. */
  async function whileLargeOnesHang(work: (begun: string[]) => Promise<void>): Promise<void> {
    const begun: string[] = []
    const hold = Promise.withResolvers<void>()
    const take = async ({ attachments, html = '', idempotencyKey }: EmailMessage) => {
      if (attachments || html.length > 100_000) {
        begun.push(idempotencyKey)
        await hold.promise
      }
      return { providerId: idempotencyKey }
    }
    await whileProvider(server, take, async () => {
      const sending = sendLarge()
      try {
        await work(begun)
      } finally {
        hold.resolve()
      }
      await sending
    })
  }

  test('three of a workspace are sent at once, and one place stays for others', async () => {
    const other = await createWorkspace(server)
    const stagedAt = server.clock.now()
    await stageLarge(9)
    server.clock.advance(1)
    await whileLargeOnesHang(async (begun) => {
      await expect.poll(() => begun.length).toBe(3)
      await stageLarge(2, other)
      await expect.poll(() => begun.length).toBe(4)
      server.clock.advance(60_000)
      const waiting = await server.peek<{ at: Date }>(
        `select next_attempt_at as at from outgoing_emails where lease_token is null order by next_attempt_at limit 6`,
      )
      expect(waiting.map(({ at }) => at)).toEqual(Array(6).fill(stagedAt))
    })
    expect(await rows()).toEqual(Array(11).fill({ status: 'sent', attempts: 1, last_error: null }))
  })

  test('do not delay small mail, not even that of their workspace', async () => {
    await stageLarge(9)
    for (let n = 0; n < 12; n++) await inWorkspace(owner, (scope) => scope.tx((tx) => stageEmail(scope, tx, MAIL)))
    await whileLargeOnesHang(async (begun) => {
      await expect.poll(() => begun.length).toBe(3)
      expect(await runSweep(server, sendMailSweep)).toBe(12)
    })
  })

  test('that wait for their turn are not sent after an erasure', async () => {
    await stageLarge(9)
    await whileLargeOnesHang(async (begun) => {
      await expect.poll(() => begun.length).toBe(3)
      const found = await server.peek<{ id: string }>('select id from outgoing_emails')
      const ids = found.map(({ id }) => id)
      await inWorkspace(owner, (scope) => scope.tx((tx) => eraseMail(tx, ids, scope.clock.now())))
    })
    expect(await rows()).toEqual(Array(9).fill({ status: 'failed', attempts: 0, last_error: 'erased' }))
  })
})
