import type { CustomData } from '../../../survey-engine/model/definition.ts'
import type { StoredText } from '../../../survey-engine/logic/stored-answers.ts'

interface Typed {
  text: StoredText[]
  custom_data: CustomData
  notes: Array<{ text: string }>
  tags: string[]
}

/** Everything in a response that somebody typed. */
export function textsOf({ text, custom_data, notes, tags }: Typed): string[] {
  return [
    ...text.flatMap(({ value }) => (typeof value === 'string' ? [value] : Object.values(value))),
    ...Object.values(custom_data).map(String),
    ...notes.map((note) => note.text),
    ...tags,
  ]
}
