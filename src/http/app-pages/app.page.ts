import { html } from 'hono/html'
import type { AppWords } from './app-words.ts'
import type { Press, Shown } from './things.ts'

type Html = ReturnType<typeof html>

/** The form to sign in, at the address of the thing. */
export function renderSignIn(words: AppWords, wrong?: string, email = ''): Html {
  const isWrong = wrong === undefined ? '' : html` aria-invalid="true" aria-describedby="wrong"`
  return html`<p>${words.hint}</p>
${wrong === undefined ? '' : html`<p class="wrong" role="alert" id="wrong">${wrong}</p>`}
<form method="post"><label for="email">${words.email}</label><input id="email" name="email" type="email" value="${email}" autocomplete="username" required dir="ltr"${isWrong}>
<label for="password">${words.password}</label><input id="password" name="password" type="password" autocomplete="current-password" required${isWrong}>
<button>${words.signIn}</button></form>`
}

/** @param session the token that the buttons send. Null on a page without buttons. */
export function renderThing(language: string, words: AppWords, shown: Shown, session: string | null): Html {
  const rows = shown.rows.filter(([, value]) => value !== undefined && value !== null && value !== '')
  return html`<dl>${rows.map(
    ([name, value]) =>
      html`<dt><b>${Object.hasOwn(words.names, name) ? words.names[name] : name}</b></dt><dd dir="auto">${textOf(language, words, value)}</dd>`,
  )}</dl>
${session === null ? '' : buttons(language, words, shown.presses, session)}`
}

function buttons(language: string, words: AppWords, presses: Press[], session: string): Html {
  return html`<form method="post"><input type="hidden" name="session" value="${session}">
${presses.map((press) => html`<p><button name="press" value="${press.path}">${labelOf(language, words, press)}</button></p>`)}
<p><button name="leave" value="1">${words.signOut}</button></p></form>`
}

function labelOf(language: string, words: AppWords, { label, about }: Press): string {
  return about === '' ? words.presses[label] : `${words.presses[label]}: ${textOf(language, words, about)}`
}

function textOf(language: string, words: AppWords, value: unknown): string {
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (value instanceof Date)
    return `${value.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`
  if (Array.isArray(value)) return value.map(String).join(', ')
  if (value !== null && typeof value === 'object') return Object.values(value).map(String).join(', ')
  return String(value)
}
