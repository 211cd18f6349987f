import { afterEach, expect } from 'vitest'
import type { EmailAdapter, EmailMessage } from '../../platform/ports/email-port.ts'
import { ProviderError } from '../../platform/ports/provider.ts'
import { Secret } from '../../platform/config/secrets.ts'
import { startFakeResend, type FakeResend } from './fake-resend.ts'
import { startSmtpSink, type SmtpSink } from './smtp-sink.ts'
import { createResendEmail } from '../../adapters/resend/resend.ts'
import { createLog } from '../../platform/config/log.ts'
import { createSmtpEmail } from '../../adapters/smtp/smtp.ts'

export const FROM = 'Acme <feedback@acme.example>'
export const MESSAGE: EmailMessage = {
  to: 'ada@example.com',
  subject: 'Grüße 👋',
  text: 'Hello\n.\nText ü',
  html: '<p>Hello ü</p>',
  fromName: 'Bücher "& Co"',
  replyTo: 'team@acme.example',
  headers: { 'List-Unsubscribe': '<https://e.example/u>', 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  tag: 'abc_DEF-123',
  idempotencyKey: 'send_018f',
}

const open: Array<{ close(): Promise<void> }> = []
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})
function closing<T extends { close(): Promise<void> }>(one: T): T {
  open.push(one)
  return one
}

export async function smtp(
  options: Parameters<typeof startSmtpSink>[0] = {},
  password?: string,
): Promise<{ sink: SmtpSink; email: EmailAdapter }> {
  const sink = closing(await startSmtpSink(options))
  const url = new Secret(password === undefined ? sink.url : sink.url.replace(/:[^:@/]+@/, `:${password}@`))
  return { sink, email: closing(createSmtpEmail({ from: FROM, url, log: createLog('silent') })) }
}

export async function resend(apiKey?: string | null): Promise<{ fake: FakeResend; email: EmailAdapter }> {
  const fake = closing(await startFakeResend())
  const key = apiKey === undefined ? fake.apiKey : apiKey
  return {
    fake,
    email: closing(createResendEmail({ from: FROM, apiKey: key === null ? null : new Secret(key), baseUrl: fake.url })),
  }
}

/** The error of a refused send. Its text never names the recipient. */
export async function refusal(sending: Promise<unknown>): Promise<ProviderError> {
  const error = await sending.then(
    () => expect.fail('it was taken'),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ProviderError)
  expect(`${(error as Error).message}${JSON.stringify(error)}`).not.toMatch(/ada|example/)
  return error as ProviderError
}
