import { html } from 'hono/html'
import type { VerificationWords } from './verification-words.ts'

/** Shows the button that proves the mailbox. It posts to the page's own address. */
export function renderConfirm(words: VerificationWords, email: string) {
  return html`<p>${words.isYours.replace('{email}', () => email)}</p>
<form method="post"><button type="submit">${words.confirm}</button></form>`
}

export function renderConfirmed(words: VerificationWords) {
  return html`<p role="status">${words.mayClose}</p>`
}

export function renderGone(words: VerificationWords) {
  return html`<p>${words.ended}</p>`
}
