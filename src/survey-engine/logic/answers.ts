import type { AnswerValue, ContactQuestion, DateQuestion, MatrixQuestion, OpenTextQuestion, Question } from '../model/definition.ts'
import { readChoosing, readMany, readRanking } from '../types/families/choice-answers.ts'
import { isCalendarDate, isEmail, isHttpUrl, isStorable, normalisePhone } from '../model/formats.ts'
import { LIMITS } from '../model/limits.ts'
import { asciiDigits, exactNumber, readLocalNumber, writeLocalNumber } from '../language/local-numbers.ts'
import { contactFieldsOf, isRequired, scaleOf, takesMany } from '../model/questions.ts'
import { isRecord } from '../model/record.ts'

/** A valid answer in its normalised form, or what is wrong with it, or null where nothing was answered. */
export type Reading = { value: AnswerValue } | { problem: string } | null

/**
 * Reads one raw answer. Not answered are `null`, `undefined`, blank text, and an array or object with nothing in it.
 * Completeness (a required question, every row of a matrix) is the matter of `missingFrom`.
 * @param language in which a number that comes as text is written.
 */
export function readAnswer(question: Question, raw: unknown, language = 'en'): Reading {
  if (raw === null || raw === undefined) return null
  switch (question.type) {
    case 'nps':
    case 'csat':
    case 'ces':
    case 'rating':
      return readScore(question, raw)
    case 'single':
    case 'dropdown':
      return readChoosing(question, raw)
    case 'multi':
    case 'picture':
      return takesMany(question) ? readMany(question, raw) : readChoosing(question, raw)
    case 'ranking':
      return readRanking(question, raw)
    case 'matrix':
      return readMatrix(question, raw)
    case 'open_text':
      return readOpenText(question, raw, language)
    case 'date':
      return readDate(question, raw)
    case 'consent':
      return typeof raw === 'boolean' ? { value: raw } : { problem: 'Answer true or false.' }
    case 'contact':
      return readContact(question, raw)
    case 'statement':
      return { problem: 'A statement takes no answer; leave it out.' }
  }
}

/** What a completed response still lacks on this question, or null; `required` is whether the survey asks for it here. */
export function missingFrom(question: Question, value: AnswerValue | undefined, required: boolean): string | null {
  if (question.type === 'contact') {
    const given = typeof value === 'object' && !Array.isArray(value) ? value : {}
    const lacking = (question.required_fields ?? []).filter((field) => !Object.hasOwn(given, field))
    if (lacking.length > 0) return `Fill in: ${lacking.join(', ')}.`
  }
  if (!required && !isRequired(question)) return null
  if (value === undefined) return 'Answer this question; it is required.'
  if (question.type === 'consent' && value !== true) return 'Give your consent; it is required.'
  if (question.type === 'matrix' && Object.keys(value).length < question.rows.length) return 'Answer every row.'
  return null
}

function readScore(question: Question, raw: unknown): Reading {
  const scale = scaleOf(question)
  if (scale && typeof raw === 'number' && Number.isInteger(raw) && raw >= scale.min && raw <= scale.max) {
    return { value: raw + 0 }
  }
  return { problem: `Answer with a whole number from ${scale?.min} to ${scale?.max}.` }
}

function readMatrix(question: MatrixQuestion, raw: unknown): Reading {
  if (!isRecord(raw)) return { problem: 'Answer with an object of row ids and column ids.' }
  const rows = new Set(question.rows.map(({ id }) => id))
  const columns = new Set(question.columns.map(({ id }) => id))
  const value: Record<string, string> = {}
  for (const [row, column] of Object.entries(raw)) {
    if (!rows.has(row)) return { problem: 'Use only the row ids of this question.' }
    if (column === null) continue
    if (typeof column !== 'string' || !columns.has(column)) {
      return { problem: `Choose one of the columns for the row ${row}.` }
    }
    value[row] = column
  }
  return Object.keys(value).length > 0 ? { value } : null
}

function readOpenText(question: OpenTextQuestion, text: unknown, language: string): Reading {
  const format = question.format ?? 'text'
  if (format === 'number' && typeof text === 'number' && Number.isFinite(text)) return { value: text + 0 }
  if (typeof text !== 'string') return { problem: 'Answer with text.' }
  const longest = question.max_length ?? LIMITS.openTextDefault
  if (text.length > longest) return { problem: `Shorten the text to ${longest} characters.` }
  if (!isStorable(text)) return { problem: UNSTORABLE }
  if (text.trim() === '') return null
  return format === 'text' ? { value: text } : readFormatted(format, text.trim(), language)
}

function readFormatted(format: 'email' | 'url' | 'number' | 'phone', text: string, language = 'en'): Reading {
  switch (format) {
    case 'email':
      return isEmail(text) ? { value: text } : { problem: 'Enter an email address, such as name@example.com.' }
    case 'url':
      return isHttpUrl(text) ? { value: text } : { problem: 'Enter a web address that starts with http:// or https://.' }
    case 'number': {
      const number = readLocalNumber(text, language)
      return number === null ? { problem: `Enter a number, such as 12 or ${writeLocalNumber(3.5, language)}.` } : { value: exactNumber(number) }
    }
    case 'phone': {
      const phone = normalisePhone(asciiDigits(text))
      return phone ? { value: phone } : { problem: 'Enter a phone number of 7 to 15 digits.' }
    }
  }
}

function readDate({ min, max }: DateQuestion, raw: unknown): Reading {
  if (typeof raw !== 'string') return { problem: 'Answer with a date such as 2026-11-22.' }
  const date = raw.length > 40 ? raw : raw.trim()
  if (date === '') return null
  if (!isCalendarDate(date)) return { problem: 'Enter a date that exists, such as 2026-11-22.' }
  if (min !== undefined && date < min) return { problem: `Choose ${min} or a later date.` }
  if (max !== undefined && date > max) return { problem: `Choose ${max} or an earlier date.` }
  return { value: date }
}

function readContact(question: ContactQuestion, raw: unknown): Reading {
  if (!isRecord(raw)) return { problem: 'Answer with an object of contact fields.' }
  const fields: readonly string[] = contactFieldsOf(question)
  const value: Record<string, string> = {}
  for (const [field, given] of Object.entries(raw)) {
    if (!fields.includes(field)) return { problem: `Use only these fields: ${fields.join(', ')}.` }
    if (given === null) continue
    const reading = readContactField(field, given)
    if (reading && 'problem' in reading) return { problem: `${field}: ${reading.problem}` }
    if (reading) value[field] = reading.value
  }
  return Object.keys(value).length > 0 ? { value } : null
}

function readContactField(field: string, given: unknown): { value: string } | { problem: string } | null {
  if (typeof given !== 'string') return { problem: 'Answer with text.' }
  if (given.length > LIMITS.contactFieldLength) {
    return { problem: `Shorten the text to ${LIMITS.contactFieldLength} characters.` }
  }
  if (!isStorable(given)) return { problem: UNSTORABLE }
  const text = given.trim()
  if (text === '') return null
  if (field !== 'email' && field !== 'phone') return { value: text }
  const reading = readFormatted(field, text)
  return reading && 'value' in reading ? { value: String(reading.value) } : reading
}

const UNSTORABLE = 'Remove the characters that are not text.'
