import type { Person } from './host.ts'
import type { CustomData, SurveyDefinition } from '../../src/survey-engine/model/definition.ts'

/** The data block of the page. */
export interface PageData {
  /** The survey's id. */
  survey: string
  version: number
  language: string
  definition: SurveyDefinition
  /** HTML of the questions that the page does not hold yet. */
  rest: string
  custom_data: CustomData
  /** The id of the response that the page continues. Absent for a new one. */
  response?: string
  /** The custom fields that the link gave. */
  linked?: CustomData
  /** Whose answers the browser keeps. The block does not hold it. */
  person?: Person
  /** `revise`: a completed response is changed, all at once. `preview`: nothing is stored. */
  mode: 'answer' | 'preview' | 'revise'
  /**
   * The worker that proves, and how many zero bits its digest needs. Absent if the survey asks for no proof of work.
   */
  proof?: { src: string; bits: number }
}

/** Reads the data block. Null on a page without a survey. */
export function readData(): PageData | null {
  const block = document.querySelector('#survey')?.textContent
  return block ? (JSON.parse(block) as PageData) : null
}

/** Makes an element with attributes and children. Text is never read as HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

export function button(label: string, onClick: () => void, look: 'link' | 'quiet' = 'link'): HTMLButtonElement {
  const made = element('button', { type: 'button', class: look }, label)
  made.addEventListener('click', onClick)
  return made
}

export function hiddenValue(form: HTMLFormElement, name: string): string | undefined {
  return form.querySelector<HTMLInputElement>(`input[type=hidden][name="${name}"]`)?.value || undefined
}

/** Sets a hidden field, so that the form continues the same response if the browser sends it. */
export function setHidden(form: HTMLFormElement, name: string, value: string): void {
  const found = form.querySelector<HTMLInputElement>(`input[type=hidden][name="${name}"]`)
  if (found) found.value = value
  else form.append(element('input', { type: 'hidden', name, value }))
}
