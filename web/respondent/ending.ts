import type { Say } from '../../src/survey-engine/language/messages.ts'
import type { AnswerValues } from '../../src/survey-engine/model/definition.ts'
import { element } from './page.ts'
import { enhanceSharing } from './sharing.ts'

// The server takes a number beyond the last page for the last one.
const LAST_PAGE = '9999'

/** Shows the ending, which the server draws for the form as it does without a script. */
export async function showEnding(form: HTMLFormElement, values: AnswerValues, own: Say): Promise<void> {
  const pairs = [...new FormData(form)].filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  const body = new URLSearchParams([
    ...pairs.filter(([name]) => name !== '_page' && name !== '_answers'),
    ['_answers', JSON.stringify(values)],
    ['_page', LAST_PAGE],
    ['_next', '1'],
  ])
  const drawn = await fetch(location.pathname, { method: 'POST', body, headers: { accept: 'text/html' } })
    .then((answer) => (answer.ok ? answer.text() : ''))
    .catch(() => '')
  const main = drawn === '' ? null : new DOMParser().parseFromString(drawn, 'text/html').querySelector('main')
  const content = main ? [...main.children] : [plainEnding(own)]
  const shown = document.querySelector('main')
  shown?.replaceChildren(...content.map((child) => document.importNode(child, true)))
  if (shown) enhanceSharing(shown, own)
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
