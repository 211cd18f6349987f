import { html } from 'hono/html'
import type { ResetWords } from './reset-words.ts'

/** Shows the form for the new password. It posts to the page's own address. */
export function renderReset(
  words: ResetWords & { newPassword: string; rule: string },
  choice: ReturnType<typeof html> | '',
  wrong?: string,
) {
  return html`<p>${words.sessionsEnd}</p>
${wrong ? html`<p class="wrong" role="alert">${wrong}</p>` : ''}
<form method="post"><label for="password">${words.newPassword}</label><input id="password" name="password" type="password" autocomplete="new-password" required minlength="10" maxlength="200" aria-describedby="rule"><p class="soft" id="rule">${words.rule}</p>${choice}<button type="submit">${words.set}</button></form>`
}

export function renderDone(words: ResetWords) {
  return html`<p role="status">${words.signIn}</p>`
}

export function renderGone(words: ResetWords) {
  return html`<p>${words.resetEnded}</p>`
}
