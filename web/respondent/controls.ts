import type { Say } from '../../src/survey-engine/language/messages.ts'
import { DIAL_CODES } from './dial-codes.ts'
import { element } from './page.ts'
import { sortable } from './ranking.ts'

/** Gives questions the controls that need a script. The plain ones below stay the answer. */
export function enhance(sections: HTMLElement[], own: Say, language: string): void {
  for (const section of sections) {
    if (section.querySelector('.line:not(.stacked) > select')) sortable(section, own)
    const other = section.querySelector<HTMLInputElement>('input.other')
    if (other) clearOther(section, other)
    if (advances(section)) section.append(element('p', { class: 'hint tap' }, own('tap')))
    for (const phone of section.querySelectorAll<HTMLInputElement>('input[type=tel]')) addCountry(phone, own, language)
    for (const range of section.querySelectorAll<HTMLInputElement>('input[type=range]')) showNumber(range, language)
  }
}

/** Whether a click on an answer leads on, because the question has just one and nothing is written beside it. */
export function advances(section: HTMLElement): boolean {
  return section.querySelector('input[type=radio]') !== null && section.querySelector('.row, .other') === null
}

// Text beside another choice would be a contradiction. The style hides the field where it is empty and not chosen.
function clearOther(section: HTMLElement, other: HTMLInputElement): void {
  section.addEventListener('change', (event) => {
    if (event.target === other) return
    if (section.querySelector('[value=other]:checked')) other.focus()
    else other.value = ''
  })
}

/** Shows the number of a slider while it moves. */
function showNumber(range: HTMLInputElement, language: string): void {
  const shown = range.parentElement?.querySelector('output')
  if (!shown) return
  const show = () => {
    shown.value = range.value === range.min ? '–' : range.valueAsNumber.toLocaleString(language)
  }
  range.addEventListener('input', show)
  shown.hidden = false
  show()
}

/** A list of countries beside a phone number. Choosing one writes its code into the number. */
function addCountry(phone: HTMLInputElement, own: Say, language: string): void {
  const names = new Intl.DisplayNames([language], { type: 'region' })
  const countries = [...DIAL_CODES.matchAll(/([A-Z]{2})(\d+)/g)]
    .map(([, region = '', code = '']) => ({ name: names.of(region) ?? region, code }))
    .sort((a, b) => a.name.localeCompare(b.name, language))
  const select = element(
    'select',
    { 'aria-label': own('country'), autocomplete: 'tel-country-code' },
    element('option', { value: '' }, '+'),
    ...countries.map(({ name, code }) => element('option', { value: code }, `${name} +${code}`)),
  )
  select.addEventListener('change', () => {
    const local = phone.value.replace(/^\s*(?:\+|00)\d{1,4}\s*|^\s*0/, '')
    if (select.value !== '') phone.value = `+${select.value} ${local}`
    phone.focus()
  })
  const box = element('div', { class: 'phone', dir: 'ltr' })
  phone.replaceWith(box)
  box.append(select, phone)
}
