import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { createConsoleEmail } from './console.ts'
import { FROM, MESSAGE, refusal, resend, smtp } from './email.fixture.ts'

describe('smtp', () => {
  test('delivers both parts, the sender’s name and the headers, under a Message-ID made of the key', async () => {
    const { sink, email } = await smtp()
    expect(await email.send(MESSAGE)).toEqual({ providerId: '<send_018f@acme.example>' })
    const [message] = sink.messages
    expect(message).toMatchObject({ from: 'feedback@acme.example', to: ['ada@example.com'] })
    expect(message?.headers).toMatchObject({
      'message-id': '<send_018f@acme.example>',
      'list-unsubscribe': '<https://e.example/u>',
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'x-voc-delivery': 'abc_DEF-123',
      'reply-to': 'team@acme.example',
      to: 'ada@example.com',
    })
    expect(message?.headers['from']).toMatch(/^=\?UTF-8\?.*\?= <feedback@acme\.example>$/)
    expect(message?.headers['subject']).toMatch(/^=\?UTF-8\?/)
    expect(message?.headers['content-type']).toMatch(/^multipart\/alternative/)
  })

  test('logs in, and keeps its connections for the next message', async () => {
    const { sink, email } = await smtp({ user: 'me', password: 'secret' })
    for (let n = 0; n < 20; n++) await email.send({ ...MESSAGE, idempotencyKey: `send_${n}` })
    expect(sink.messages).toHaveLength(20)
    expect(sink.connections).toBe(1)
  })

  test('a wrong password is a fault of the settings, which may be mended', async () => {
    const { email } = await smtp({ user: 'me', password: 'secret' }, 'wrong')
    expect(await refusal(email.send(MESSAGE))).toMatchObject({ code: 'smtp_535', permanent: false })
  })

  test.each([
    ['rcpt', 550, true],
    ['rcpt', 451, false],
    ['mail', 550, false],
    ['mail', 421, false],
    ['data', 554, true],
    ['data', 452, false],
  ] as const)('a refusal at %s with %i is final: %s', async (at, code, permanent) => {
    const { sink, email } = await smtp()
    sink.refuse = { at, code }
    expect(await refusal(email.send(MESSAGE))).toMatchObject({ code: `smtp_${code}`, permanent })
    sink.refuse = null
    await email.send(MESSAGE)
  })

  test('a server that is away may come back', async () => {
    const { sink, email } = await smtp()
    await sink.close()
    expect(await refusal(email.send(MESSAGE))).toMatchObject({ code: 'smtp_esocket', permanent: false })
  })

  test('a domain goes in ASCII, and letters before the @ where the server takes them', async () => {
    const { sink, email } = await smtp()
    await email.send({ ...MESSAGE, to: 'ada@bücher.example' })
    await email.send({ ...MESSAGE, to: 'jörg@bücher.example' })
    expect(sink.messages.map(({ to }) => to)).toEqual([['ada@bücher.example'], ['jörg@bücher.example']])
    expect(sink.messages[0]?.headers['to']).toBe('ada@xn--bcher-kva.example')
  })

  test('where it does not, the refusal is final', async () => {
    const { email, sink } = await smtp({ smtpUtf8: false })
    expect((await refusal(email.send({ ...MESSAGE, to: 'jörg@example.com' }))).permanent).toBe(true)
    expect(sink.messages).toEqual([])
  })
})

describe('resend', () => {
  test('sends what its interface takes, with the tag and the key', async () => {
    const { fake, email } = await resend()
    const accepted = await email.send(MESSAGE)
    expect(fake.emails).toEqual([
      {
        id: accepted.providerId,
        idempotencyKey: 'send_018f',
        from: '"Bücher & Co" <feedback@acme.example>',
        to: ['ada@example.com'],
        subject: 'Grüße 👋',
        text: MESSAGE.text,
        html: MESSAGE.html,
        reply_to: 'team@acme.example',
        headers: MESSAGE.headers,
        tags: [{ name: 'voc_delivery', value: 'abc_DEF-123' }],
      },
    ])
  })

  test('the same message twice is one email with one id, also when the first answer was lost', async () => {
    const { fake, email } = await resend()
    fake.onAccepted = () => false
    await expect(email.send(MESSAGE)).rejects.toThrow()
    fake.onAccepted = null
    const [first, second] = [await email.send(MESSAGE), await email.send(MESSAGE)]
    expect(first).toEqual(second)
    expect(fake.emails.map(({ id }) => id)).toEqual([first.providerId])
  })

  test('a message that was taken in other words before is taken, not sent again', async () => {
    const { fake, email } = await resend()
    await email.send(MESSAGE)
    expect(await email.send({ ...MESSAGE, subject: 'Changed' })).toEqual({ providerId: null })
    expect(fake.emails).toHaveLength(1)
  })

  test.each([
    [401, 'missing_api_key', false],
    [403, 'invalid_api_key', false],
    [409, 'concurrent_idempotent_requests', false],
    [422, 'validation_error', true],
    [422, 'missing_required_field', true],
    [429, 'rate_limit_exceeded', false],
    [451, 'security_error', true],
    [500, 'application_error', false],
  ])('%i %s is final: %s', async (status, name, permanent) => {
    const { fake, email } = await resend()
    fake.answers.push({ status, body: { statusCode: status, name, message: 'ada@example.com is not possible' } })
    expect(await refusal(email.send(MESSAGE))).toMatchObject({ code: `resend_${name}`, permanent, retryAfter: null })
    await email.send(MESSAGE)
    expect(fake.emails).toHaveLength(1)
  })

  test('the time to wait is handed on', async () => {
    const { fake, email } = await resend()
    fake.answers.push({ status: 429, body: { name: 'rate_limit_exceeded' }, headers: { 'retry-after': '7' } })
    expect((await refusal(email.send(MESSAGE))).retryAfter).toBe(7)
  })

  test.each([['nonsense'], [null], [[]], [{ name: 'ada@example.com' }], [{ id: 5 }]])('an answer such as %j is known by its status alone', async (body) => {
    const { fake, email } = await resend()
    fake.answers.push({ status: 502, body })
    expect((await refusal(email.send(MESSAGE))).code).toBe('resend_502')
    fake.answers.push({ status: 200, body })
    expect((await refusal(email.send(MESSAGE))).code).toBe('resend_200')
  })

  test('without a key nothing is asked, with a wrong one nothing is sent', async () => {
    const none = await resend(null)
    expect(await refusal(none.email.send(MESSAGE))).toMatchObject({ code: 'resend_not_configured', permanent: false })
    expect(none.fake.requests).toBe(0)
    const wrong = await resend('re_wrong')
    expect(await refusal(wrong.email.send(MESSAGE))).toMatchObject({ code: 'resend_invalid_api_key', permanent: false })
    expect(wrong.fake.emails).toEqual([])
  })
})

describe('console', () => {
  test('writes text and HTML into files that only this user can read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'earshot-mail-'))
    try {
      const email = createConsoleEmail({ from: FROM, folder: join(folder, 'mail'), log: createLog('silent') })
      expect(await email.send(MESSAGE)).toEqual({ providerId: null })
      const files = (await readdir(join(folder, 'mail'))).sort()
      expect(files).toEqual(['send_018f.html', 'send_018f.txt'])
      expect(await readFile(join(folder, 'mail', 'send_018f.html'), 'utf8')).toBe(MESSAGE.html)
      expect(await readFile(join(folder, 'mail', 'send_018f.txt'), 'utf8')).toContain('From: "Bücher & Co" <feedback@acme.example>\nTo: ada@example.com\n')
      expect((await stat(join(folder, 'mail', 'send_018f.txt'))).mode & 0o777).toBe(0o600)
      expect((await refusal(email.send({ ...MESSAGE, idempotencyKey: '../out' }))).code).toBe('invalid_idempotency_key')
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
