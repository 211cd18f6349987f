import { createTransport } from 'nodemailer'
import { ProviderError } from '../../platform/ports.ts'
import type { Secret } from '../../platform/secrets.ts'
import type { EmailAdapter } from './email-adapter.ts'
import { checkMessage } from './message.ts'

// Each shorter than the time after which somebody else may send the same message.
const CONNECT_MS = 10_000
const ANSWER_MS = 30_000

/** Sends by SMTP over a few connections that stay open. The Message-ID is derived from the idempotency key, so a repeated message is recognisable. */
export function createSmtpEmail(options: { from: string; url: Secret }): EmailAdapter {
  const transport = createTransport({
    url: options.url.reveal(),
    pool: true,
    maxConnections: 8,
    maxMessages: Infinity,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(message) {
      const { from, to, subject, text, html, replyTo, headers, tag, idempotencyKey } = checkMessage(message, options.from)
      const messageId = `<${idempotencyKey}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          ...(html !== undefined && { html }),
          ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
          headers: { ...headers, ...(tag !== undefined && { 'X-VOC-Delivery': tag }) },
          messageId,
        })
      } catch (error) {
        throw refusal(error)
      }
      return { providerId: messageId }
    },
    async close() {
      transport.close()
    },
  }
}

// A reply of 5xx is final (RFC 5321 §4.2.1) where it is about this recipient or this message. One to the greeting, the password or
// the sender is about our settings: those change, and until then nobody's invitation is lost for it.
function refusal(error: unknown): ProviderError {
  const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string }
  const name = responseCode ? `smtp_${responseCode}` : typeof code === 'string' && /^[A-Z]{1,20}$/.test(code) ? `smtp_${code.toLowerCase()}` : 'smtp_error'
  const aboutMessage = command === 'RCPT TO' || command === 'DATA' || (command === 'API' && code === 'EENVELOPE')
  return new ProviderError(name, { permanent: aboutMessage && (responseCode === undefined || responseCode >= 500) })
}
