import { describe, expect, test } from 'vitest'
import { createLog } from '../config/log.ts'
import type { EmailMessage } from './email-port.ts'
import { ProviderError } from './provider.ts'
import { createConsoleEmail } from '../../adapters/console/console.ts'
import { FROM, MESSAGE, refusal, resend, smtp } from '../../testing/providers/email-fixture.ts'
import { checkMessage, formatSender } from './email-message.ts'

// One line breaks out of no header, whichever way a message goes.
const BREAKS = ['\r\n', '\n', '\r', '\u2028', '\u2029', '\u0085', '\0', '\v']

describe.each(BREAKS)('a line end such as %j', (end) => {
  const evil = `x${end}Bcc: evil@evil.example${end}${end}<p>Body</p>`
  const folded: Partial<EmailMessage> = { subject: evil, fromName: evil, headers: { 'X-Note': evil } }

  test('is folded in subject, name and headers by smtp', async () => {
    const { sink, email } = await smtp()
    await email.send({ ...MESSAGE, ...folded })
    const [message] = sink.messages
    expect(message?.to).toEqual(['ada@example.com'])
    expect(Object.keys(message?.headers ?? {}).sort()).toEqual(
      [
        'content-type',
        'date',
        'from',
        'message-id',
        'mime-version',
        'reply-to',
        'subject',
        'to',
        'x-note',
        'x-voc-delivery',
      ].sort(),
    )
    expect(message?.headers).toMatchObject({
      subject: 'x Bcc: evil@evil.example <p>Body</p>',
      'x-note': 'x Bcc: evil@evil.example <p>Body</p>',
    })
    expect(message?.raw).not.toMatch(/^Bcc:/im)
  })

  test('is folded by resend', async () => {
    const { fake, email } = await resend()
    await email.send({ ...MESSAGE, ...folded })
    expect(fake.emails).toMatchObject([
      {
        from: '"x Bcc: evil@evil.example p Body /p" <feedback@acme.example>',
        subject: 'x Bcc: evil@evil.example <p>Body</p>',
        headers: { 'X-Note': 'x Bcc: evil@evil.example <p>Body</p>' },
      },
    ])
  })

  test('in an address, a header’s name, a tag or a key is refused by each of them before anything is sent', async () => {
    const [{ sink, email: bySmtp }, { fake, email: byResend }] = [await smtp(), await resend()]
    const byConsole = createConsoleEmail({ from: FROM, folder: '/nonexistent', log: createLog('silent') })
    for (const email of [bySmtp, byResend, byConsole]) {
      for (const [change, code] of [
        [{ to: `ada@example.com${end}Bcc: evil@evil.example` }, 'invalid_address'],
        [{ to: `ada${end}@example.com` }, 'invalid_address'],
        [{ replyTo: `team@example.com${end}` }, 'invalid_address'],
        [{ headers: { [`X${end}Bcc`]: 'x' } }, 'invalid_header'],
        [{ tag: `x${end}` }, 'invalid_tag'],
        [{ idempotencyKey: `x${end}` }, 'invalid_idempotency_key'],
      ] satisfies Array<[Partial<EmailMessage>, string]>) {
        expect(await refusal(email.send({ ...MESSAGE, ...change }))).toMatchObject({ code, verdict: 'refused' })
      }
    }
    expect([sink.messages, fake.requests]).toEqual([[], 0])
  })
})

test.each([
  'ada@example.com, evil@evil.example',
  'ada@example.com;evil@evil.example',
  '<ada@example.com>',
  'Ada <ada@example.com>',
  'ada',
  '@example.com',
  'ada@',
  'a b@example.com',
  'ada@exa mple.com',
  'a@b@c.example',
  'ada@exa%mple.com',
])('%j is not one address', (to) => {
  expect(() => checkMessage({ ...MESSAGE, to }, FROM)).toThrow(ProviderError)
})

test.each(['Bcc', 'to', 'From', 'Content-Type', 'Sender', 'Reply-To', 'Subject', 'X-VOC-Delivery', 'X Y', ''])(
  '%j is no header of a caller',
  (name) => {
    expect(() => checkMessage({ ...MESSAGE, headers: { [name]: 'x' } }, FROM)).toThrow(ProviderError)
  },
)

test.each([
  ['feedback@acme.example', undefined, 'feedback@acme.example'],
  ['feedback@acme.example', 'Shop', '"Shop" <feedback@acme.example>'],
  ['"Acme, Inc." <feedback@acme.example>', undefined, '"Acme, Inc." <feedback@acme.example>'],
  ['Acme <feedback@acme.example>', ' "<>\\ ', '"Acme" <feedback@acme.example>'],
  ['Acme <feedback@bücher.example>', 'Shop', '"Shop" <feedback@xn--bcher-kva.example>'],
])('a mail of %s for %j comes from %s', (from, name, sender) => {
  expect(
    formatSender(
      checkMessage(
        { ...MESSAGE, ...(name === undefined ? {} : { fromName: name }), ...(name === undefined && { fromName: '' }) },
        from,
      ).from,
    ),
  ).toBe(sender)
})
