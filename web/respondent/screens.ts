import type { Say } from '../../src/survey-engine/language/messages.ts'
import { firstControl } from './keys.ts'
import { element, type PageData } from './page.ts'

export interface Screens {
  sections: HTMLElement[]
  section(id: string): HTMLElement | null
  /** Shows these questions and hides the others. */
  show(ids: string[]): void
  /** Marks what is wrong, and leads the person there. */
  showErrors(errors: ReadonlyMap<string, string>): void
  /** Moves the focus to a question. */
  focus(id: string): void
}

/** Puts every question of the survey into the form, in its order. */
export function createScreens({ definition, rest }: PageData, form: HTMLFormElement, own: Say): Screens {
  const template = element('template')
  template.innerHTML = rest
  const end = form.querySelector('.trap')
  const find = (id: string) => document.querySelector<HTMLElement>(`#q-${id}`)
  const sections = definition.questions.flatMap(
    ({ id }) => find(id) ?? template.content.querySelector<HTMLElement>(`#q-${id}`) ?? [],
  )
  for (const section of sections) {
    section.tabIndex = -1
    form.insertBefore(section, end)
  }

  function clearErrors(): void {
    for (const old of form.querySelectorAll('.error, .summary')) old.remove()
    for (const section of form.querySelectorAll('.wrong')) section.classList.remove('wrong')
    for (const control of form.querySelectorAll('[aria-invalid]')) control.removeAttribute('aria-invalid')
  }

  return {
    sections,
    section: find,
    show(ids) {
      for (const section of sections) section.hidden = !ids.includes(section.id.slice('q-'.length))
    },
    showErrors(errors) {
      clearErrors()
      const visible = [...errors].filter(([id]) => find(id)?.hidden === false)
      for (const [id, text] of visible) markWrong(find(id), id, text, visible.length === 1)
      if (visible.length > 1 || (visible.length > 0 && definition.layout === 'page')) {
        const summary = summaryOf(visible, find, own)
        form.prepend(summary)
        summary.focus()
      } else if (visible[0]) focusIn(find(visible[0][0]), true)
    },
    focus: (id) => focusIn(find(id), false),
  }
}

/** The title of a question, without the mark of a required one. */
export function titleOf(section: HTMLElement | null): string {
  const title = section?.querySelector('legend, h1, h2, label')?.cloneNode(true) as HTMLElement | undefined
  title?.querySelector('.mark')?.remove()
  return title?.textContent?.trim() ?? ''
}

function markWrong(section: HTMLElement | null, id: string, text: string, isAlone: boolean): void {
  if (!section) return
  section.classList.add('wrong')
  const error = element('p', { class: 'error', id: `e-${id}`, ...(isAlone && { role: 'alert' }) }, text)
  const title = section.querySelector(':scope > legend, :scope > h2')
  const before = section.querySelector(`:scope > #d-${id}`) ?? title
  if (before) before.after(error)
  else section.prepend(error)
  const described = section.matches('fieldset')
    ? [section]
    : [...section.querySelectorAll<HTMLElement>('input,select,textarea')]
  for (const target of described) {
    const others = (target.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .filter((name) => name && name !== error.id)
    target.setAttribute('aria-describedby', [...others, error.id].join(' '))
    if (target !== section) target.setAttribute('aria-invalid', 'true')
  }
}

function summaryOf(wrong: [string, string][], find: (id: string) => HTMLElement | null, own: Say): HTMLElement {
  const links = wrong.map(([id]) => {
    const link = element('a', { href: `#q-${id}` }, titleOf(find(id)))
    link.addEventListener('click', (event) => {
      event.preventDefault()
      focusIn(find(id), true)
    })
    return element('li', {}, link)
  })
  return element(
    'div',
    { class: 'summary', role: 'alert', tabindex: '-1' },
    element('p', {}, own('errors', { n: wrong.length })),
    element('ul', {}, ...links),
  )
}

// A finger would open the keyboard of a phone with a text field, before the question is read.
function focusIn(section: HTMLElement | null, isError: boolean): void {
  if (!section) return
  const control = firstControl(section)
  const byFinger = matchMedia('(pointer: coarse)').matches
  const target = control && (isError || !byFinger) ? control : section
  target.focus({ preventScroll: true })
  section.scrollIntoView({ block: section.offsetHeight > innerHeight * 0.7 ? 'start' : 'nearest' })
}
