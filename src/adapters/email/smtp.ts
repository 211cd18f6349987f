import { createTransport } from 'nodemailer'
import type { EmailPort } from '../../platform/ports.ts'
import type { Secret } from '../../platform/secrets.ts'

/** Sends by SMTP. The Message-ID is derived from the idempotency key, so a repeated message is recognisable. */
export function createSmtpEmail(options: { from: string; url: Secret }): EmailPort {
  const transport = createTransport(options.url.reveal(), { from: options.from })
  return {
    async send(message) {
      const { to, subject, text, html, idempotencyKey } = message
      await transport.sendMail({ to, subject, text, ...(html !== undefined && { html }), messageId: `<${idempotencyKey}@earshot>` })
    },
  }
}
