import { html } from 'hono/html'
import { messagesFor } from '../../../survey-engine/language/messages.ts'
import { previewWords, type PreviewWords } from './preview-words.ts'
import { LIGHT } from '../../../platform/look/tokens.ts'

interface Conversation {
  channel: string
  language: string
  /** The person's words, null at the beginning, and the answer. */
  turns: { heard: string | null; say: string }[]
  state: string
}

/** The words of both sides, and a form for the next reply. The form carries the replies, so that nothing is stored. */
export function renderConversation({ channel, language, turns, state }: Conversation) {
  const words = previewWords(language)
  const say = messagesFor(language)
  const replies = turns.flatMap(({ heard }) => (heard === null ? [] : [heard]))
  const lines = turns.map(
    ({ heard, say: said }) =>
      html`${heard === null ? '' : html`<p class="said mine"><span class="unseen">${words.you}: </span>${heard}</p>`}${said === '' ? '' : html`<p class="said">${said.trim()}</p>`}`,
  )
  const next =
    state === 'asking'
      ? html`<form method="post">${replies.map((reply) => html`<input type="hidden" name="turn" value="${reply}">`)}<label for="reply">${channel === 'voice' ? words.spoken : words.reply}</label><input id="reply" name="turn" maxlength="1600" required autofocus autocomplete="off"><button type="submit">${words.send}</button></form>`
      : html`<p role="status"><strong>${say('preview_over')}</strong></p>`
  return html`<p class="soft">${say('preview')}</p>${lines}${next}${replies.length > 0 ? html`<p><a href="?lang=${language}">${words.again}</a></p>` : ''}`
}

const BAND = `margin:0;padding:12px 16px;border-bottom:1px solid ${LIGHT.soft};background:#ffffff;color:${LIGHT.ink};font:14px/20px system-ui,sans-serif`

/** The mail with a line above it that says what this is and what the subject would be. */
export function withBand(mail: string, { mail: title }: PreviewWords, subject: string): string {
  const band = String(html`<p role="note" style="${BAND}">${title}: <strong>${subject}</strong></p>`)
  const body = /<body\b[^<>]*>/i.exec(mail)
  const at = body ? body.index + body[0].length : 0
  return mail.slice(0, at) + band + mail.slice(at)
}
