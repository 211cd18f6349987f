import type { Say } from '../../src/survey-engine/language/messages.ts'
import { element } from './page.ts'

/** Shows the ending, which the server draws as it does without a script. */
export async function showEnding(token: string, language: string, own: Say): Promise<void> {
  const address = new URL(location.pathname, location.href)
  address.searchParams.set('r', token)
  address.searchParams.set('lang', language)
  const drawn = await fetch(address, { headers: { accept: 'text/html' } })
    .then((answer) => (answer.ok ? answer.text() : ''))
    .catch(() => '')
  const main = drawn === '' ? null : new DOMParser().parseFromString(drawn, 'text/html').querySelector('main')
  const content = main ? [...main.children] : [plainEnding(own)]
  const shown = document.querySelector('main')
  shown?.replaceChildren(...content.map((child) => document.importNode(child, true)))
  const heading = shown?.querySelector('h1')
  document.title = heading?.textContent ?? own('thanks')
  if (heading) {
    heading.tabIndex = -1
    heading.focus()
  }
  scrollTo(0, 0)
}

/** Shown until the last answers have reached the server. */
export function showUnsent(form: HTMLFormElement, own: Say): void {
  for (const child of form.querySelectorAll<HTMLElement>('.question, .actions, .head, nav')) child.hidden = true
  if (form.querySelector('.notice')) return
  const heading = element('h1', { tabindex: '-1' }, own('unsent'))
  form.prepend(element('section', { class: 'notice' }, heading))
  heading.focus()
}

function plainEnding(own: Say): HTMLElement {
  return element('section', { class: 'notice' }, element('h1', {}, own('thanks')), element('p', {}, own('received')))
}
