import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../platform/log.ts'
import type { EmailPort } from '../../platform/ports.ts'

/** Writes each message as a text file that only this user can read, for trying Earshot without a provider. */
export function createConsoleEmail(options: { from: string; folder: string; log: Log }): EmailPort {
  return {
    async send({ to, subject, text, idempotencyKey }) {
      const file = join(options.folder, `${idempotencyKey.replace(/[^\w.-]/g, '_')}.txt`)
      await mkdir(options.folder, { recursive: true, mode: 0o700 })
      await writeFile(file, `From: ${options.from}\nTo: ${to}\nSubject: ${subject}\n\n${text}`, { mode: 0o600 })
      options.log.info({ file }, 'an email was written to a file, because EMAIL_PROVIDER is console')
    },
  }
}
