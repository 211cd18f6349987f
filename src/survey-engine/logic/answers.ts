import type { AnswerValue, Question } from '../model/definition.ts'
import type { Reading } from '../types/behaviour.ts'
import { behaviourOf, isRequired } from '../types/registry.ts'

/**
 * Reads one raw answer. Not answered are `null`, `undefined`, blank text, and an array or object with nothing in it.
 * `missingFrom` judges completeness: a required question, every row of a matrix.
 * @param language in which a number that comes as text is written.
 */
export function readAnswer(question: Question, raw: unknown, language = 'en'): Reading {
  if (raw === null || raw === undefined) return null
  return behaviourOf(question).read(raw, question, language)
}

/** Says what a completed response still lacks on this question, or null. `required`: the survey asks for it here. */
export function missingFrom(question: Question, value: AnswerValue | undefined, required: boolean): string | null {
  const needed = required || isRequired(question)
  const lacking = behaviourOf(question).lacking?.(value, question, needed) ?? null
  if (lacking !== null) return lacking
  return needed && value === undefined ? 'Answer this question; it is required.' : null
}
