import { expect, test } from 'vitest'
import { MESSAGE, refusal, smtp } from '../../testing/providers/email-fixture.ts'

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
  expect(await refusal(email.send(MESSAGE))).toMatchObject({ code: 'smtp_535', verdict: 'unknown' })
})

test('a reply at a step means that the message is refused, or that nothing is known', async () => {
  const { sink, email } = await smtp()
  for (const [at, code, verdict] of [
    ['rcpt', 550, 'refused'],
    ['rcpt', 451, 'unknown'],
    ['mail', 550, 'unknown'],
    ['mail', 421, 'unknown'],
    ['data', 554, 'refused'],
    ['data', 452, 'unknown'],
  ] as const) {
    sink.refuse = { at, code }
    expect(await refusal(email.send(MESSAGE)), `${at} ${code}`).toMatchObject({ code: `smtp_${code}`, verdict })
    sink.refuse = null
    await email.send(MESSAGE)
  }
})

test('a server that is away may come back', async () => {
  const { sink, email } = await smtp()
  await sink.close()
  expect(await refusal(email.send(MESSAGE))).toMatchObject({ code: 'smtp_esocket', verdict: 'unknown' })
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
  expect((await refusal(email.send({ ...MESSAGE, to: 'jörg@example.com' }))).verdict).toBe('refused')
  expect(sink.messages).toEqual([])
})
