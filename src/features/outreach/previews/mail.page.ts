import { html } from 'hono/html'
import type { PreviewWords } from './preview-words.ts'

const BAND =
  'margin:0;padding:12px 16px;border-bottom:1px solid #5b5966;background:#ffffff;color:#1c1b22;font:14px/20px system-ui,sans-serif'

/** The mail with a line above it that says what this is and what the subject would be. */
export function withBand(mail: string, { mail: title }: PreviewWords, subject: string): string {
  const band = String(html`<p role="note" style="${BAND}">${title}: <strong>${subject}</strong></p>`)
  const body = /<body\b[^<>]*>/i.exec(mail)
  const at = body ? body.index + body[0].length : 0
  return mail.slice(0, at) + band + mail.slice(at)
}
