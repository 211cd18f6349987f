import { messagesFor } from '../language/messages.ts'
import { type Evaluation, missingFrom } from '../logic/evaluation.ts'
import type { Question, SurveyDefinition } from '../model/definition.ts'
import { takesAnswer } from '../types/registry.ts'
import { errorFor, hasOtherUnchosen, type Fields } from './answers.ts'

interface Filled {
  definition: SurveyDefinition
  /** The questions that the form shows. */
  asked: Question[]
  typed: Record<string, unknown>
  judged: Evaluation
  fields: Fields
  language: string
}

/** Question id → why its answer cannot be taken, in the respondent's language. */
export function errorsIn({ definition, asked, typed, judged, fields, language }: Filled): Map<string, string> {
  const own = messagesFor(language, definition)
  const errors = new Map<string, string>()
  for (const question of asked) {
    const { id } = question
    if (!takesAnswer(question) || !judged.path.includes(id)) continue
    const reason =
      judged.issues.find(({ path }) => path === `answers.${id}`)?.message ??
      missingFrom(question, judged.values[id], judged.required.includes(id))
    if (reason === null && hasOtherUnchosen(question, fields))
      errors.set(id, own('other_unchosen', { other: own('other') }))
    if (reason !== null) errors.set(id, errorFor(question, typed[id], reason, own, language))
  }
  return errors
}
