import type { Say } from '../../src/survey-engine/language/messages.ts'
import { button, element } from './page.ts'
import type { SavingState } from './saving.ts'
import { copyFrom } from './sharing.ts'

export interface StatusLine {
  show(state: SavingState): void
  /** Offers to go on elsewhere, with a link that holds this token. */
  offer(token: string): void
}

/** Says whether the answers are saved, and offers to continue on another device. */
export function createStatus(form: HTMLFormElement, own: Say, retry: () => void): StatusLine {
  const text = element('span', { role: 'status' })
  const again = button(own('retry'), retry)
  const place = element('div', { class: 'elsewhere' })
  const open = button(own('elsewhere'), () => {
    place.hidden = !place.hidden
    open.setAttribute('aria-expanded', String(!place.hidden))
  })
  open.setAttribute('aria-expanded', 'false')
  const line = element('div', { class: 'status' }, text, again, open, place)
  again.hidden = open.hidden = place.hidden = true
  form.append(line)
  return {
    show(state) {
      again.hidden = state !== 'waiting'
      if (state !== 'saving') text.textContent = own(state === 'waiting' ? 'offline' : 'saved')
    },
    offer(token) {
      if (!open.hidden) return
      open.hidden = false
      const link = new URL(location.pathname, location.href)
      link.searchParams.set('r', token)
      const field = element('input', { type: 'text', readonly: '', 'aria-label': own('elsewhere'), dir: 'ltr' })
      field.value = link.href
      const copy = button(own('copy'), async () => {
        if (await copyFrom(field)) copy.textContent = own('copied')
      })
      place.append(element('p', {}, own('elsewhere_hint')), field, element('p', {}, copy))
    },
  }
}

export interface Progress {
  show(n: number, total: number): void
}

export function createProgress(form: HTMLFormElement, own: Say): Progress {
  const bar = element('progress', { max: '1', value: '0' })
  const text = element('span')
  bar.setAttribute('aria-label', own('progress', { n: 1, total: 1 }))
  const head = element('div', { class: 'head' }, bar, text)
  const languages = form.querySelector('nav')
  if (languages) head.append(languages)
  form.prepend(head)
  return {
    show(n, total) {
      bar.hidden = text.hidden = total < 2
      const said = own('progress', { n, total })
      bar.max = total
      bar.value = n - 1
      bar.setAttribute('aria-label', said)
      text.textContent = said
    },
  }
}
