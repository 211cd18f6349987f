import type { AnswerValue, AnswerValues, QuestionType, SurveyDefinition } from '../model/definition.ts'
import { own } from '../model/record.ts'
import type { StoredParts, StoredValue, StoredWords } from '../types/behaviour.ts'
import { behaviourOf } from '../types/registry.ts'

/** `value` has no words of the respondent: a chosen "other" is `other`. */
export interface StoredAnswer {
  question_id: string
  type: QuestionType
  value: StoredValue
}

/** The words that the respondent typed. */
export interface StoredText {
  question_id: string
  value: StoredWords
}

export interface SplitAnswers {
  answers: StoredAnswer[]
  text: StoredText[]
}

/**
 * Splits answers from words, both in question order. Only `text` has open text, contact fields and the words of an
 * "other", so that leaving it out (docs/specification.md, "Events") leaves out everything personal.
 */
export function splitAnswers(definition: SurveyDefinition, values: AnswerValues): SplitAnswers {
  const stored: SplitAnswers = { answers: [], text: [] }
  for (const question of definition.questions) {
    const value = own(values, question.id)
    if (value === undefined) continue
    const { answer, text } = (behaviourOf(question).split ?? answerAlone)(value)
    if (answer !== undefined) stored.answers.push({ question_id: question.id, type: question.type, value: answer })
    if (text !== undefined && text !== '') stored.text.push({ question_id: question.id, value: text })
  }
  return stored
}

/** The inverse of `splitAnswers`: an erased text leaves an "other" without words, or no answer. */
export function joinAnswers(
  definition: SurveyDefinition,
  answers: readonly StoredAnswer[],
  text: readonly StoredText[],
): AnswerValues {
  const answerOf = new Map(answers.map(({ question_id, value }) => [question_id, value]))
  const textOf = new Map(text.map(({ question_id, value }) => [question_id, value]))
  const values: AnswerValues = {}
  for (const question of definition.questions) {
    const parts = { answer: answerOf.get(question.id), text: textOf.get(question.id) }
    const { join } = behaviourOf(question)
    const value = join ? join(parts, question) : parts.answer
    if (value !== undefined) values[question.id] = value
  }
  return values
}

function answerAlone(value: AnswerValue): StoredParts {
  return { answer: value as StoredValue }
}
