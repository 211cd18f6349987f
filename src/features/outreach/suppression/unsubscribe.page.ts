import { html } from 'hono/html'
import { messagesIn } from './unsubscribe-messages.ts'

interface Subscriber {
  workspace: string
  address: string
}

/** Asks first, because programs follow links. The form posts to the page's own address. */
export function renderQuestion({ workspace, address }: Subscriber, language: string) {
  const messages = messagesIn(language)
  return html`<p>${messages.question(workspace, address)}</p><form method="post"><button type="submit">${messages.button}</button></form>`
}

export function renderDone({ workspace, address }: Subscriber, language: string) {
  return html`<p role="status">${messagesIn(language).doneText(workspace, address)}</p>`
}
