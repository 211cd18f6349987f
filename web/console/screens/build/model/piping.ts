import { takesAnswer } from '../../../../../src/survey-engine/types/registry.ts'
import type { Draft, Question } from './draft.ts'
import { variablesOf } from './logic.ts'

/** The values that a text at this place may repeat. @param place of its question; null for an ending, which sees every answer */
export function pipeable(
  draft: Draft,
  place: number | null,
): { questions: Question[]; fields: string[]; variables: string[] } {
  return {
    questions: draft.questions.slice(0, place ?? draft.questions.length).filter((question) => takesAnswer(question)),
    fields: draft.custom_fields,
    variables: variablesOf(draft),
  }
}

export function placeholder(source: 'answer' | 'custom' | 'variable', name: string): string {
  return `{{ ${source}.${name} }}`
}

/** Puts a placeholder where the cursor is, with a space beside words. */
export function insertAt(text: string, start: number, end: number, inserted: string): { text: string; cursor: number } {
  const [before, after] = [text.slice(0, start), text.slice(end)]
  const first = before !== '' && !/[\s(“"']$/u.test(before) ? ' ' : ''
  const last = after !== '' && !/^[\s.,;:!?)”"']/u.test(after) ? ' ' : ''
  return { text: `${before}${first}${inserted}${last}${after}`, cursor: start + first.length + inserted.length }
}
