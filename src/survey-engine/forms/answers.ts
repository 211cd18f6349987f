import { asciiDigits, readLocalNumber, writeLocalNumber } from '../language/local-numbers.ts'
import type { Say } from '../language/messages.ts'
import type { AnswerValue, AnswerValues, Choosing, Question, SurveyDefinition } from '../model/definition.ts'
import { isBlank } from '../model/formats.ts'
import { LIMITS } from '../model/limits.ts'
import { isRecord } from '../model/record.ts'
import type { Kind } from '../types/behaviour.ts'
import { contactFieldsOf } from '../types/contact.ts'
import { behaviourOf, isOfKind, takesSeveral, type QuestionOfKind } from '../types/registry.ts'
import { rangeOf } from '../types/slider.ts'

/** Reads the answer to a question from a form, in the format of capture. Null if nothing was filled in. */
export function answerIn(question: Question, fields: Fields): unknown {
  return formOf(question).read(question, fields)
}

/** The fields that show a stored answer in the language of the page: the inverse of `answerIn`. */
export function fieldsOf(definition: SurveyDefinition, values: AnswerValues, language: string): Fields {
  const fields = new Map<string, string[]>()
  for (const question of definition.questions) {
    const value = values[question.id]
    if (value === undefined) continue
    for (const [name, text] of formOf(question).write(value, question, language))
      fields.set(name, [...(fields.get(name) ?? []), text])
  }
  return fields
}

/** Rewrites numbers in the fields from one language's notation to another's. Other text stays as typed. */
export function rewriteNumbers(definition: SurveyDefinition, fields: Fields, from: string, to: string): Fields {
  const rewritten = new Map(fields)
  for (const question of definition.questions) {
    if (!isOfKind(question, 'text') || question.format !== 'number') continue
    const number = readLocalNumber(field(fields, question.id) ?? '', from)
    if (number !== null) rewritten.set(question.id, [writeLocalNumber(number, to)])
  }
  return rewritten
}

/** The message for a refused answer in the respondent's language. `reason` comes from the engine. */
export function errorFor(question: Question, answer: unknown, reason: string, own: Say, language: string): string {
  const nothing =
    answer === null ||
    answer === undefined ||
    answer === '' ||
    (typeof answer === 'object' && Object.keys(answer).length === 0)
  const key = nothing ? 'missing' : lacksOther(answer) ? 'missing_other' : formOf(question).error(question, reason)
  return own(key, {
    example: writeLocalNumber(3.5, language),
  })
}

/** Whether the answer is an "other" without words, alone or among others. */
function lacksOther(answer: unknown): boolean {
  const items: unknown[] = Array.isArray(answer) ? answer : [answer]
  return items.some((item) => isRecord(item) && item['other'] === '')
}

/**
 * The place of an untouched slider: one step below its range. A range input always sends a number, so only a number
 * outside the range can mean no answer.
 */
export function untouchedPlace(question: QuestionOfKind<'number'>): number {
  const { min, step } = rangeOf(question)
  return Number((min - step).toFixed(LIMITS.sliderDecimals))
}

/** Whether there is text under "Other" although another answer is chosen. */
export function hasOtherUnchosen(question: Question, fields: Fields): boolean {
  const value = field(fields, question.id) ?? ''
  const takesSeveral = Array.isArray(answerIn(question, fields))
  return !takesSeveral && value !== '' && value !== 'other' && otherText(question, fields) !== ''
}

/** How the fields of a form hold the answers of one question type. */
interface AnswerForm<Q> {
  read(question: Q, fields: Fields): unknown
  write(value: AnswerValue, question: Q, language: string): [name: string, text: string][]
  /** The words that explain why an answer was refused. */
  error(question: Q, reason: string): Parameters<Say>[0]
}

const ONE_FIELD = {
  // A browser sends line breaks as CR LF.
  read: ({ id }: Question, fields: Fields): unknown => (field(fields, id) ?? '').replaceAll('\r\n', '\n'),
  write: (value: AnswerValue, { id }: Question): [string, string][] => [[id, String(value)]],
}

const PARTS = {
  write: (value: AnswerValue, { id }: Question): [string, string][] =>
    Object.entries(value).map(([name, text]) => [`${id}.${name}`, String(text)]),
}

const FORMS: { [K in Kind]: AnswerForm<QuestionOfKind<K>> } = {
  scale: {
    ...ONE_FIELD,
    read({ id }, fields) {
      const text = field(fields, id) ?? ''
      if (text === '') return null
      const digits = asciiDigits(text)
      return /^\d{1,3}$/.test(digits) ? Number(digits) : text
    },
    error: () => 'invalid_scale',
  },
  number: {
    ...ONE_FIELD,
    read(question, fields) {
      const text = (field(fields, question.id) ?? '').trim()
      const value = Number(text)
      if (text === '' || value === untouchedPlace(question)) return null
      return Number.isFinite(value) ? value : text
    },
    error: () => 'invalid_scale',
  },
  choice: {
    read(question, fields) {
      if (!takesSeveral(question)) return chosen(question, field(fields, question.id) ?? '', fields)
      const values = fields.get(question.id) ?? []
      const ticked = values.includes('other') || otherText(question, fields) === '' ? values : [...values, 'other']
      return ticked.map((item) => chosen(question, item, fields))
    },
    write: (value, { id }) => ([value].flat() as Choosing[]).flatMap((item) => writeChosen(id, item)),
    error: () => 'invalid_choices',
  },
  ranking: {
    read({ id, choices }, fields) {
      const placed = choices
        .map((choice) => ({ id: choice.id, place: field(fields, `${id}.${choice.id}`) ?? '' }))
        .filter(({ place }) => place !== '')
      const places = new Set(placed.map(({ place }) => place))
      // Two choices in one place are not a ranking. Leaving one out makes capture refuse the answer.
      const unique = placed.filter(({ place }) => places.delete(place))
      return unique.sort((a, b) => Number(a.place) - Number(b.place)).map((choice) => choice.id)
    },
    write: (value, { id }) => (value as string[]).map((choice, index) => [`${id}.${choice}`, String(index + 1)]),
    error: () => 'invalid_ranking',
  },
  matrix: {
    ...PARTS,
    read: ({ id, rows }, fields) => filledIn(rows.map((row) => [row.id, field(fields, `${id}.${row.id}`)])),
    error: () => 'invalid_matrix',
  },
  text: {
    ...ONE_FIELD,
    write: (value, { id }, language) => [
      [id, typeof value === 'number' ? writeLocalNumber(value, language) : String(value)],
    ],
    error: ({ format = 'text' }) => `invalid_${format}`,
  },
  date: { ...ONE_FIELD, error: () => 'invalid_date' },
  yes: {
    read: ({ id }, fields) => field(fields, id) === 'yes',
    write: (value, { id }) => (value === true ? [[id, 'yes']] : []),
    error: () => 'invalid_consent',
  },
  fields: {
    ...PARTS,
    read: (question, fields) =>
      filledIn(contactFieldsOf(question).map((name) => [name, field(fields, `${question.id}.${name}`)])),
    error: (_question, reason) =>
      reason.startsWith('email:') ? 'invalid_email' : reason.startsWith('phone:') ? 'invalid_phone' : 'missing',
  },
  none: { read: () => null, write: () => [], error: () => 'missing' },
}

function formOf(question: Question): AnswerForm<Question> {
  return FORMS[behaviourOf(question).kind]
}

// Text under "Other" chooses it, ticked or not.
function chosen(question: Question, value: string, fields: Fields): unknown {
  const other = otherText(question, fields)
  if (allowsOther(question) && (value === 'other' || (value === '' && other !== ''))) return { other }
  return value === '' ? null : value
}

function otherText(question: Question, fields: Fields): string {
  return allowsOther(question) ? seen(field(fields, `${question.id}.other`) ?? '') : ''
}

function seen(text: string): string {
  return isBlank(text) ? '' : text.trim()
}

function allowsOther(question: Question): boolean {
  return 'allow_other' in question && question.allow_other === true
}

function writeChosen(id: string, item: Choosing): [string, string][] {
  if (typeof item === 'string') return [[id, item]]
  return [
    [id, 'other'],
    [`${id}.other`, item.other],
  ]
}

function filledIn(entries: [string, string | undefined][]): Record<string, string> {
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[1] !== undefined && !isBlank(entry[1])),
  )
}

/** The fields of a form. A name may appear several times. */
export type Fields = ReadonlyMap<string, readonly string[]>

/** Collects pairs of names and values, as a form sends them. */
export function fieldsFrom(pairs: Iterable<readonly [string, string]>): Fields {
  const fields = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    const values = fields.get(name)
    if (values) values.push(value)
    else fields.set(name, [value])
  }
  return fields
}

export function field(fields: Fields, name: string): string | undefined {
  return fields.get(name)?.[0]
}
