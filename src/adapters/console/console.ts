import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { EmailAdapter } from '../../platform/ports/email-port.ts'
import { checkMessage, formatSender } from '../../platform/ports/email-message.ts'
import type { Log } from '../../platform/config/log.ts'

/**
 * For trying Earshot without a provider: writes each message as text, and as HTML to open in a browser. Only this user
 * can read the files.
 */
export function createConsoleEmail(options: { from: string; folder: string; log: Log }): EmailAdapter {
  return {
    async send(message) {
      const { from, to, subject, text, html, attachments, replyTo, headers, tag, idempotencyKey } = checkMessage(
        message,
        options.from,
      )
      const file = join(options.folder, idempotencyKey.replace(/^\.+/, '_'))
      const head = {
        From: formatSender(from),
        To: to,
        ...(replyTo !== undefined && { 'Reply-To': replyTo }),
        Subject: subject,
        ...headers,
        ...(tag !== undefined && { 'X-VOC-Delivery': tag }),
      }
      const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`)
      await mkdir(options.folder, { recursive: true, mode: 0o700 })
      await writeFile(`${file}.txt`, `${lines.join('\n')}\n\n${text}`, { mode: 0o600 })
      if (html !== undefined) {
        // A browser opens the file, and knows no parts of a mail.
        const shown = attachments.reduce(
          (page, { contentId, type, base64 }) =>
            contentId === undefined ? page : page.replaceAll(`cid:${contentId}`, `data:${type};base64,${base64}`),
          html,
        )
        await writeFile(`${file}.html`, shown, { mode: 0o600 })
      }
      options.log.info(
        { file: resolve(`${file}.${html === undefined ? 'txt' : 'html'}`) },
        'an email to open, because EMAIL_PROVIDER is console:',
      )
      // No provider gave it an id, so an event that is tried out with its tag may carry any.
      return { providerId: null }
    },
    async eraseCopies(addresses) {
      const erased: string[] = []
      const names = await readdir(options.folder).catch(() => [])
      for (const name of names.filter((each) => each.endsWith('.txt'))) {
        const text = (await readFile(join(options.folder, name), 'utf8').catch(() => '')).toLowerCase()
        if (!addresses.some((address) => text.includes(address))) continue
        for (const copy of [name, name.replace(/txt$/, 'html')]) await rm(join(options.folder, copy), { force: true })
        erased.push(name)
      }
      return erased
    },
    close: async () => {},
  }
}
