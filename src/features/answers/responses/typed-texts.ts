import type { CustomData } from '../../../survey-engine/model/definition.ts'
import type { StoredText } from '../../../survey-engine/logic/stored-answers.ts'

interface Typed {
  text: StoredText[]
  custom_data: CustomData
  notes: Array<{ text: string }>
  tags: string[]
}

/** Everything in a response that somebody typed. */
export function textsOf(row: Typed): string[] {
  return [...respondentTextsOf(row), ...memberTextsOf(row)]
}

/** The words of the respondent, and those that were sent about them. */
export function respondentTextsOf({ text, custom_data }: Pick<Typed, 'text' | 'custom_data'>): string[] {
  return [
    ...text.flatMap(({ value }) => (typeof value === 'string' ? [value] : Object.values(value))),
    ...Object.values(custom_data).map(String),
  ]
}

/** The words of members about a response. */
export function memberTextsOf({ notes, tags }: Pick<Typed, 'notes' | 'tags'>): string[] {
  return [...notes.map((note) => note.text), ...tags]
}
