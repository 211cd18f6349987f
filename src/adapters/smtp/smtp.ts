import { checkMessage } from '../../platform/ports/email-message.ts'
import type { EmailAdapter, EmailMessage } from '../../platform/ports/email-port.ts'
import type { Log } from '../../platform/config/log.ts'
import { ProviderError } from '../../platform/ports/provider.ts'
import type { Secret } from '../../platform/config/secrets.ts'
import { createSmtpHost } from './smtp-host.ts'
import type { Fault, Mail } from './smtp-worker.ts'

/**
 * Sends by SMTP over a few connections that stay open. A repeat is recognisable: its Message-ID is made from the
 * idempotency key.
 */
export function createSmtpEmail(options: { from: string; url: Secret; log: Log }): EmailAdapter {
  // Checked here, because the thread would say so only with the first message.
  if (!URL.canParse(options.url.reveal())) throw new Error('SMTP_URL is not a URL')
  const host = createSmtpHost(options.url, options.log)
  return {
    async send(message, check) {
      const mail = mailOf(message, options.from)
      const fault = await host.send(mail, check)
      if (fault) throw refusal(fault)
      return { providerId: mail.messageId }
    },
    close: () => host.close(),
  }
}

/** @throws ProviderError as `checkMessage` does, so only checked messages reach the thread. */
export function mailOf(message: EmailMessage, sender: string): Mail {
  const { from, to, subject, text, html, attachments, replyTo, headers, tag, idempotencyKey } = checkMessage(
    message,
    sender,
  )
  return {
    from,
    to: { name: '', address: to },
    subject,
    text,
    ...(html !== undefined && { html }),
    ...(attachments.length > 0 && {
      attachments: attachments.map(({ name, type, contentId, base64 }) => ({
        filename: name,
        contentType: type,
        ...(contentId !== undefined && { cid: contentId }),
        content: base64,
        encoding: 'base64' as const,
      })),
    }),
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    headers: { ...headers, ...(tag !== undefined && { 'X-VOC-Delivery': tag }) },
    messageId: `<${idempotencyKey}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
  }
}

// A reply of 5xx is final (RFC 5321 §4.2.1) where it is about this recipient or this message. A reply to the greeting,
// the password or the sender is about our settings: those can be mended, and no invitation is lost until then.
function refusal({ code, responseCode, command, posted }: Fault): ProviderError {
  const name = responseCode
    ? `smtp_${responseCode}`
    : code !== undefined && /^[A-Z]{1,20}$/.test(code)
      ? `smtp_${code.toLowerCase()}`
      : 'smtp_error'
  if (posted === false) return new ProviderError(name, 'throttled')
  const aboutMessage = command === 'RCPT TO' || command === 'DATA' || (command === 'API' && code === 'EENVELOPE')
  return new ProviderError(
    name,
    aboutMessage && (responseCode === undefined || responseCode >= 500) ? 'refused' : 'unknown',
  )
}
