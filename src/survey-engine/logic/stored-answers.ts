import type { AnswerValue, AnswerValues, Choosing, Question, QuestionType, SurveyDefinition } from '../model/definition.ts'
import { exactNumber } from '../language/local-numbers.ts'
import { allowsOther } from '../model/questions.ts'
import { own } from '../model/record.ts'

/** `value` holds no words of the respondent's own: a chosen "other" stands as `other`. */
export interface StoredAnswer {
  question_id: string
  type: QuestionType
  value: number | boolean | string | string[] | Record<string, string>
}

/** What the respondent wrote; an object of fields for a contact question. */
export interface StoredText {
  question_id: string
  value: string | Record<string, string>
}

export interface SplitAnswers {
  answers: StoredAnswer[]
  text: StoredText[]
}

/**
 * Parts answers from words, both in question order. Open text, contact fields and the words of an "other" stand in
 * `text` alone, so that leaving `text` out (contract §4) leaves out everything personal that was typed.
 */
export function splitAnswers(definition: SurveyDefinition, values: AnswerValues): SplitAnswers {
  const split: SplitAnswers = { answers: [], text: [] }
  for (const question of definition.questions) {
    const value = own(values, question.id)
    if (value === undefined) continue
    const { answer, text } = splitAnswer(question, value)
    if (answer !== undefined) split.answers.push({ question_id: question.id, type: question.type, value: answer })
    if (text !== undefined && text !== '') split.text.push({ question_id: question.id, value: text })
  }
  return split
}

/** The inverse of `splitAnswers`: an erased text leaves an "other" without words, or no answer. */
export function joinAnswers(definition: SurveyDefinition, answers: readonly StoredAnswer[], text: readonly StoredText[]): AnswerValues {
  const answerOf = new Map(answers.map(({ question_id, value }) => [question_id, value]))
  const textOf = new Map(text.map(({ question_id, value }) => [question_id, value]))
  const values: AnswerValues = {}
  for (const question of definition.questions) {
    const value = joinAnswer(question, answerOf.get(question.id), textOf.get(question.id))
    if (value !== undefined) values[question.id] = value
  }
  return values
}

function splitAnswer(question: Question, value: AnswerValue): { answer?: StoredAnswer['value']; text?: StoredText['value'] } {
  if (question.type === 'open_text') return { text: String(value) }
  if (typeof value !== 'object') return { answer: value }
  if (Array.isArray(value)) {
    const other = value.find((item) => typeof item === 'object')
    const answer = value.map((item) => (typeof item === 'object' ? 'other' : item))
    return other === undefined ? { answer } : { answer, text: other.other }
  }
  if (question.type === 'contact') return { text: value }
  if (question.type === 'matrix') return { answer: value }
  return { answer: 'other', text: own(value, 'other') ?? '' }
}

function joinAnswer(question: Question, answer: StoredAnswer['value'] | undefined, text: StoredText['value'] | undefined): AnswerValue | undefined {
  // As a number it means the same in every language, where the text 1.234 does not.
  if (question.type === 'open_text' && question.format === 'number' && typeof text === 'string') return exactNumber(text)
  if (question.type === 'open_text' || question.type === 'contact') return text
  const words = typeof text === 'string' ? text : ''
  const restore = (item: string): Choosing => (item === 'other' && allowsOther(question) ? { other: words } : item)
  if (typeof answer === 'string') return restore(answer)
  return Array.isArray(answer) ? answer.map(restore) : answer
}
