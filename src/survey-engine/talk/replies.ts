import type { AnswerValue, Question, SurveyDefinition } from '../model/definition.ts'
import { readAnswer } from '../logic/answers.ts'
import { LIMITS } from '../model/limits.ts'
import { exactNumber, readLocalNumber } from '../language/local-numbers.ts'
import { LONGEST_SMS, optionsIn, type TalkChannel } from './prompts.ts'
import { allowsOther, choicesOf, scaleOf, takesMany } from '../model/questions.ts'
import { isRecord } from '../model/record.ts'
import { otherWords, readOption, readOptions } from '../types/families/reply-choices.ts'
import { readDay } from '../language/reply-dates.ts'
import { readNumber, readScore } from '../language/reply-numbers.ts'
import { plain, wordsIn, wordsOf } from '../language/reply-words.ts'
import { localize } from '../model/text.ts'

/** Why a reply is no answer: a key of the words that say so, after `reply_`. */
export type Problem = 'unclear' | 'many' | 'required' | 'too_long' | 'count' | 'date'

/** An answer, or that there is none, or what to tell the person. */
export type Reply = { value: AnswerValue } | { skip: true } | { problem: Problem }

export interface Reading {
  definition: SurveyDefinition
  question: Question
  /** The row of a matrix or the field of a contact question that was asked. */
  part: string | null
  /** What was answered of the question in earlier turns. */
  before: AnswerValue | undefined
  language: string
  channel: TalkChannel
  optional: boolean
  /** `YYYY-MM-DD` where the person is; null where nobody knows. */
  today: string | null
}

const UNCLEAR: Reply = { problem: 'unclear' }

/**
 * Reads what a person wrote, said or pressed as the answer to a question. What may mean two things is not guessed: it is a
 * problem, and the question is put again.
 */
export function readTurn(text: string, reading: Reading): Reply {
  const { question, language, optional } = reading
  const said = wordsOf(text.slice(0, LONGEST_SMS)).join(' ')
  if (wordsIn(language).skip.includes(said) || (optional && /^[-–—]$/.test(text.trim()))) return optional ? { skip: true } : { problem: 'required' }
  if (text.trim() === '') return UNCLEAR
  const raw = rawAnswer(text, reading)
  if (raw === null) return UNCLEAR
  if (raw === MANY) return { problem: 'many' }
  const answer = readAnswer(question, raw)
  if (answer === null) return UNCLEAR
  return 'value' in answer ? answer : { problem: problemOf(question, raw) }
}

const MANY = Symbol('many')

/** In the form in which clients of the API answer; null where the text gives no answer. */
function rawAnswer(text: string, reading: Reading): unknown {
  const { question, definition, language, channel } = reading
  // Longer than any message of a phone: it may be words, and is no choice, date or number.
  if (text.length > LONGEST_SMS && question.type !== 'open_text' && question.type !== 'contact') return null
  const scale = scaleOf(question)
  if (scale) return readScore(text, scale, language) ?? labelledEnd(text, question, reading)
  switch (question.type) {
    case 'consent':
      return readYesNo(text, language, channel)
    case 'date':
      return readDay(text, language, reading.today)
    case 'open_text':
      return readWords(text, question.format ?? 'text', reading)
    case 'contact':
      return contactWith(text, reading)
    case 'statement':
      return null
  }
  const options = optionsIn(question, definition, language)
  if (question.type === 'matrix') {
    const column = readOption(text, options, language)
    return column === 'many' ? MANY : column && reading.part ? { ...recordOf(reading.before), [reading.part]: column } : null
  }
  if (question.type === 'ranking') {
    const ranked = readOptions(text, options, language)
    return ranked && ranked.rest.length === 0 ? ranked.ids : null
  }
  if (takesMany(question)) return readSeveral(text, reading)
  const id = readOption(text, options, language)
  if (id !== null && id !== 'many') return id
  const listed = id === 'many' ? null : readOptions(text, options, language)
  if (id === 'many' || (listed && listed.ids.length > 1 && listed.rest.length === 0)) return MANY
  const other = otherWords(question, text, language)
  return other === null ? null : { other }
}

function readSeveral(text: string, { question, definition, language }: Reading): unknown {
  const read = readOptions(text, optionsIn(question, definition, language), language)
  if (read === null) return MANY
  if (read.rest.length === 0) return read.ids
  if (!allowsOther(question) || read.rest.length > 1) return read.ids.length > 0 ? null : ownWords(question, text, language)
  const other = otherWords(question, read.rest[0] ?? '', language)
  return other === null ? null : [...read.ids, { other }]
}

function ownWords(question: Question, text: string, language: string): unknown {
  const other = otherWords(question, text, language)
  return other === null ? null : [{ other }]
}

/** True or false where a reply says one of the two and nothing against it. */
export function readYesNo(text: string, language: string, channel: TalkChannel): boolean | null {
  const { yes, no, fillers } = wordsIn(language)
  const said = wordsOf(text)
  if (channel === 'voice' && said.length === 1 && (said[0] === '1' || said[0] === '2')) return said[0] === '1'
  const [agrees, refuses] = [said.some((word) => yes.includes(word)), said.some((word) => no.includes(word))]
  const understood = said.every((word) => yes.includes(word) || no.includes(word) || fillers.includes(word))
  return understood && agrees !== refuses ? agrees : null
}

function labelledEnd(text: string, question: Question, { definition, language }: Reading): number | null {
  const scale = scaleOf(question)
  if (!scale || !('low_label' in question || 'high_label' in question)) return null
  const said = wordsOf(text).join(' ')
  const says = (label: Question['title'] | undefined) =>
    label !== undefined && said !== '' && wordsOf(localize(label, language, definition.default_language)).join(' ') === said
  const [low, high] = [says(question.low_label), says(question.high_label)]
  return low === high ? null : low ? scale.min : scale.max
}

function readWords(text: string, format: string, { language, channel }: Reading): string | number | null {
  const trimmed = text.trim()
  switch (format) {
    case 'number':
      return readAmount(trimmed, language)
    case 'email':
      return within(channel === 'voice' ? spokenAddress(trimmed, language) : trimmed, /\S+@\S+/g)
    case 'url': {
      const found = within(channel === 'voice' ? spokenAddress(trimmed, language) : trimmed, /\S+\.\S+/g)
      return found === null || /^https?:\/\//i.test(found) ? found : `https://${found}`
    }
    case 'phone':
      return trimmed.replace(/[!,;.]+$/, '')
    default:
      return trimmed
  }
}

function readAmount(text: string, language: string): number | string | null {
  if (text.length > LONGEST_SMS) return null
  const whole = readLocalNumber(text, language)
  if (whole !== null) return exactNumber(whole)
  return readNumber(text, language)
}

function contactWith(text: string, reading: Reading): unknown {
  const { part } = reading
  if (part === null) return null
  const value = part === 'email' || part === 'phone' ? readWords(text, part, reading) : text.trim()
  return value === null ? null : { ...recordOf(reading.before), [part]: value }
}

/** The one thing of a kind in a sentence: "it's ada@example.com". */
function within(text: string, kind: RegExp): string | null {
  const found = text.match(kind) ?? []
  const [only = ''] = found
  return found.length === 1 ? only.replace(/^[<("']+|[>)"'!,;.]+$/g, '') : null
}

function spokenAddress(text: string, language: string): string {
  const { at, dot } = wordsIn(language)
  return plain(text)
    .split(/\s+/)
    .map((word) => (at.includes(word) ? '@' : dot.includes(word) ? '.' : word))
    .join('')
    .replace(/\.$/, '')
}

function problemOf(question: Question, raw: unknown): Problem {
  if (typeof raw === 'string' && question.type === 'open_text' && raw.length > (question.max_length ?? LIMITS.openTextDefault)) return 'too_long'
  if (question.type === 'date') return 'date'
  return choicesOf(question).length > 0 && Array.isArray(raw) ? 'count' : 'unclear'
}

function recordOf(value: AnswerValue | undefined): Record<string, unknown> {
  return isRecord(value) ? value : {}
}
