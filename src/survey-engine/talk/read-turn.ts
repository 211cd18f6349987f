import { wordsIn, wordsOf } from '../language/reply-words.ts'
import { readAnswer } from '../logic/evaluation.ts'
import type { AnswerValue, Question, SurveyDefinition } from '../model/definition.ts'
import { isBlank } from '../model/formats.ts'
import { LONGEST_SMS } from '../model/limits.ts'
import { localize } from '../model/text.ts'
import { MANY, type Problem } from '../types/behaviour.ts'
import { lackingOther } from '../types/families/choice-answers.ts'
import { behaviourOf } from '../types/registry.ts'
import type { TalkChannel } from './prompts.ts'

/** An answer, or that there is none, or what to tell the person. */
export type Reply = { value: AnswerValue } | { skip: true } | { problem: Problem }

/** The question that was asked, and all that helps to understand the reply. */
export interface Listening {
  definition: SurveyDefinition
  question: Question
  /** The row of a matrix, or the field of a contact question, that was asked. */
  part: string | null
  /** The answer of earlier turns to the same question. */
  before: AnswerValue | undefined
  language: string
  channel: TalkChannel
  optional: boolean
  /** `YYYY-MM-DD` where the person is; null where nobody knows. */
  today: string | null
}

/**
 * Reads a reply that was written, said or pressed as the answer to a question. It does not guess: a reply that may mean
 * two things is a problem, and the question is put again.
 */
export function readTurn(text: string, listening: Listening): Reply {
  const { question, language, optional } = listening
  const said = wordsOf(text.slice(0, LONGEST_SMS)).join(' ')
  const skips = wordsIn(language).skip.includes(said) || (optional && /^[-–—]$/.test(text.trim()))
  if (skips) return optional ? { skip: true } : { problem: 'required' }
  const raw = rawAnswer(text, listening)
  if (raw === null) return { problem: 'unclear' }
  if (raw === MANY) return { problem: 'many' }
  const answer = readAnswer(question, raw)
  if (answer === null) return { problem: 'unclear' }
  if ('value' in answer && lackingOther(answer.value, !optional) !== null) return { problem: 'unclear' }
  return 'value' in answer ? answer : { problem: behaviourOf(question).problemOf?.(raw, question) ?? 'unclear' }
}

/** In the form in which clients of the API answer; null where the text gives no answer. */
function rawAnswer(text: string, { definition, question, part, before, language, channel, today }: Listening): unknown {
  const behaviour = behaviourOf(question)
  if (isBlank(text)) return null
  if (text.length > LONGEST_SMS && behaviour.takesLongReplies !== true) return null
  const label = (words: Parameters<typeof localize>[0]) => localize(words, language, definition.default_language)
  return behaviour.reply({ text, spoken: channel === 'voice', language, part, before, today, label }, question)
}
