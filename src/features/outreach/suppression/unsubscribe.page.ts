import { html } from 'hono/html'
import { messagesIn } from './unsubscribe-messages.ts'

interface Subscriber {
  workspace: string
  address: string
}

/** Asks once more, because programs follow links. The form goes to where the page came from. */
export function renderQuestion({ workspace, address }: Subscriber, language: string) {
  const messages = messagesIn(language)
  return html`<p>${messages.question(workspace, address)}</p><form method="post"><button type="submit">${messages.button}</button></form>`
}

export function renderDone({ workspace, address }: Subscriber, language: string) {
  return html`<p role="status">${messagesIn(language).doneText(workspace, address)}</p>`
}
