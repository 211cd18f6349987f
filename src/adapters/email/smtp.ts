import type { Log } from '../../platform/log.ts'
import { ProviderError, type EmailMessage } from '../../platform/ports.ts'
import type { Secret } from '../../platform/secrets.ts'
import type { EmailAdapter } from './email-adapter.ts'
import { checkMessage } from './message.ts'
import { createSmtpHost } from './smtp-host.ts'
import type { Fault, Mail } from './smtp-worker.ts'

/** Sends by SMTP over a few connections that stay open. The Message-ID is derived from the idempotency key, so a repeated message is recognisable. */
export function createSmtpEmail(options: { from: string; url: Secret; log: Log }): EmailAdapter {
  // Here, because the thread would only tell with the first message.
  if (!URL.canParse(options.url.reveal())) throw new Error('SMTP_URL is not a URL')
  const host = createSmtpHost(options.url, options.log)
  return {
    async send(message) {
      const mail = mailOf(message, options.from)
      const fault = await host.send(mail)
      if (fault) throw refusal(fault)
      return { providerId: mail.messageId }
    },
    close: () => host.close(),
  }
}

/** @throws ProviderError as `checkMessage` does: nothing else reaches the thread. */
export function mailOf(message: EmailMessage, sender: string): Mail {
  const { from, to, subject, text, html, replyTo, headers, tag, idempotencyKey } = checkMessage(message, sender)
  return {
    from,
    to: { name: '', address: to },
    subject,
    text,
    ...(html !== undefined && { html }),
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    headers: { ...headers, ...(tag !== undefined && { 'X-VOC-Delivery': tag }) },
    messageId: `<${idempotencyKey}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
  }
}

// A reply of 5xx is final (RFC 5321 §4.2.1) where it is about this recipient or this message. One to the greeting, the password or
// the sender is about our settings: those change, and until then nobody's invitation is lost for it.
function refusal({ code, responseCode, command }: Fault): ProviderError {
  const name = responseCode ? `smtp_${responseCode}` : code !== undefined && /^[A-Z]{1,20}$/.test(code) ? `smtp_${code.toLowerCase()}` : 'smtp_error'
  const aboutMessage = command === 'RCPT TO' || command === 'DATA' || (command === 'API' && code === 'EENVELOPE')
  return new ProviderError(name, { permanent: aboutMessage && (responseCode === undefined || responseCode >= 500) })
}
