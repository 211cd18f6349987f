import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import MailComposer from 'nodemailer/lib/mail-composer/index.js'
import type { Log } from '../../platform/log.ts'
import type { EmailPort } from '../../platform/ports.ts'

/** Writes each message as an `.eml` file that any mail program opens, for trying Earshot without a provider. */
export function createConsoleEmail(options: { from: string; folder: string; log: Log }): EmailPort {
  return {
    async send(message) {
      const name = `${message.idempotencyKey.replace(/[^\w.-]/g, '_')}.eml`
      const { to, subject, text, html } = message
      const composed = await new MailComposer({ from: options.from, to, subject, text, ...(html !== undefined && { html }) }).compile().build()
      await mkdir(options.folder, { recursive: true })
      await writeFile(join(options.folder, name), composed)
      options.log.info({ file: join(options.folder, name) }, 'an email was written to a file, because EMAIL_PROVIDER is console')
    },
  }
}
