import type { AnswerValue, AnswerValues, Choosing, Question, SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { asciiDigits, readLocalNumber, writeLocalNumber } from '../../../survey-engine/language/local-numbers.ts'
import type { Say } from '../../../survey-engine/language/messages.ts'
import { pipingReferences } from '../../../survey-engine/logic/piping.ts'
import { allowsOther, contactFieldsOf, controlsOf, questionPositions, scaleOf, takesMany } from '../../../survey-engine/model/questions.ts'
import { rulesByAnchor, START } from '../../../survey-engine/logic/rules.ts'
import { finish, type Steps } from '../../../survey-engine/model/steps.ts'
import { textsOf } from '../../../survey-engine/model/text.ts'

/** The fields of a posted form; a name may come several times. */
export type Fields = ReadonlyMap<string, readonly string[]>

export function readFields(body: string): Fields {
  const fields = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(body)) {
    const values = fields.get(name)
    if (values) values.push(value)
    else fields.set(name, [value])
  }
  return fields
}

export function field(fields: Fields, name: string): string | undefined {
  return fields.get(name)?.[0]
}

/**
 * Cuts the way through a survey into pages. A page ends where an answer on it may decide what comes next,
 * and before a text that repeats an answer given on it; so every page is settled by the pages before it.
 * It also ends before the question that would bring it past 2,500 controls.
 */
export function pagesOf(definition: SurveyDefinition, path: string[]): string[][] {
  const positions = questionPositions(definition)
  const anchors = [...rulesByAnchor(definition).keys()].filter((anchor) => anchor !== START)
  const piped = finish(readPiped(definition))
  const pages: string[][] = []
  let page: string[] = []
  let controls = 0
  for (const id of path) {
    const first = positions.get(page[0] ?? '') ?? Infinity
    const here = positions.get(id) ?? 0
    const decided = anchors.some((anchor) => anchor >= first && anchor < here)
    const repeats = page.some((earlier) => piped.get(id)?.has(earlier))
    const question = definition.questions[here]
    const own = question ? controlsOf(question) : 0
    if (page.length > 0 && (decided || repeats || controls + own > MOST_CONTROLS)) {
      pages.push(page)
      page = []
      controls = 0
    }
    page.push(id)
    controls += own
  }
  if (page.length > 0) pages.push(page)
  return pages
}

// Drawing one takes up to 10 µs.
const MOST_CONTROLS = 2_500

// A definition never changes, and each visit asks for its pages several times.
const pipedIn = new WeakMap<SurveyDefinition, Map<string, Set<string>>>()

/** Question id → the questions whose answers its texts repeat. In steps, for a large survey has tens of thousands of texts. */
export function* readPiped(definition: SurveyDefinition): Steps<ReadonlyMap<string, Set<string>>> {
  const known = pipedIn.get(definition)
  if (known) return known
  const piped = new Map<string, Set<string>>()
  for (const { text, question } of textsOf(definition)) {
    const id = question === null ? undefined : definition.questions[question]?.id
    if (id === undefined) continue
    const names = piped.get(id) ?? new Set()
    for (const translation of typeof text === 'string' ? [text] : Object.values(text)) {
      for (const { source, name } of pipingReferences(translation)) if (source === 'answer') names.add(name)
    }
    piped.set(id, names)
    yield
  }
  pipedIn.set(definition, piped)
  return piped
}

/** The answer that a form holds for a question, as capture takes it; null where nothing was filled in. */
export function answerIn(question: Question, fields: Fields): unknown {
  const value = field(fields, question.id) ?? ''
  if (scaleOf(question)) return value === '' ? null : toNumber(value)
  switch (question.type) {
    case 'single':
    case 'dropdown':
      return chosen(question, value, fields)
    case 'multi':
    case 'picture': {
      if (!takesMany(question)) return chosen(question, value, fields)
      const values = fields.get(question.id) ?? []
      const ticked = values.includes('other') || otherText(question, fields) === '' ? values : [...values, 'other']
      return ticked.map((item) => chosen(question, item, fields))
    }
    case 'ranking': {
      const placed = question.choices.map(({ id }) => ({ id, place: field(fields, `${question.id}.${id}`) ?? '' })).filter(({ place }) => place !== '')
      const places = new Set(placed.map(({ place }) => place))
      // Two in one place are no ranking; leaving one out makes the capture refuse it.
      const unique = placed.filter(({ place }) => places.delete(place))
      return unique.sort((a, b) => Number(a.place) - Number(b.place)).map(({ id }) => id)
    }
    case 'matrix':
      return present(question.rows.map(({ id }) => [id, field(fields, `${question.id}.${id}`)]))
    case 'contact':
      return present(contactFieldsOf(question).map((name) => [name, field(fields, `${question.id}.${name}`)]))
    case 'consent':
      return value === 'yes'
    case 'statement':
      return null
    default:
      // A browser sends line breaks as CR LF.
      return value.replaceAll('\r\n', '\n')
  }
}

/** The fields that show an answer which was stored, in the language of the page: the inverse of `answerIn`. */
export function fieldsOf(definition: SurveyDefinition, values: AnswerValues, language: string): Fields {
  const fields = new Map<string, string[]>()
  for (const question of definition.questions) {
    const value = values[question.id]
    if (value !== undefined) for (const [name, text] of fieldsOfAnswer(question, value, language)) fields.set(name, [...(fields.get(name) ?? []), text])
  }
  return fields
}

function fieldsOfAnswer(question: Question, value: AnswerValue, language: string): [string, string][] {
  const { id } = question
  const choosing = (item: Choosing): [string, string][] =>
    typeof item === 'string'
      ? [[id, item]]
      : [
          [id, 'other'],
          [`${id}.other`, item.other],
        ]
  if (typeof value === 'boolean') return value ? [[id, 'yes']] : []
  if (typeof value === 'number' && question.type === 'open_text') return [[id, writeLocalNumber(value, language)]]
  if (typeof value !== 'object') return [[id, String(value)]]
  if (question.type === 'ranking' && Array.isArray(value)) return value.map((item, index) => [`${id}.${String(item)}`, String(index + 1)])
  if (Array.isArray(value)) return value.flatMap(choosing)
  if (question.type === 'matrix' || question.type === 'contact') return Object.entries(value).map(([name, text]) => [`${id}.${name}`, text])
  return choosing({ other: Object.values(value)[0] ?? '' })
}

/** The fields with their numbers as another language writes them. Text that is no number stays as it was typed. */
export function rewriteNumbers(definition: SurveyDefinition, fields: Fields, from: string, to: string): Fields {
  const rewritten = new Map(fields)
  for (const question of definition.questions) {
    if (question.type !== 'open_text' || question.format !== 'number') continue
    const number = readLocalNumber(field(fields, question.id) ?? '', from)
    if (number !== null) rewritten.set(question.id, [writeLocalNumber(number, to)])
  }
  return rewritten
}

/** What to tell the respondent, in their language, about an answer that was refused; `reason` is the engine's. */
export function errorFor(question: Question, answer: unknown, reason: string, own: Say, language: string): string {
  const nothing = answer === null || answer === undefined || answer === '' || (typeof answer === 'object' && Object.keys(answer).length === 0)
  if (question.type === 'consent') return own('invalid_consent')
  if (nothing) return own('missing')
  if (scaleOf(question)) return own('invalid_scale')
  switch (question.type) {
    case 'open_text':
      return own(`invalid_${question.format ?? 'text'}`, { example: writeLocalNumber(3.5, language) })
    case 'date':
    case 'ranking':
    case 'matrix':
      return own(`invalid_${question.type}`)
    case 'contact':
      return own(reason.startsWith('email:') ? 'invalid_email' : reason.startsWith('phone:') ? 'invalid_phone' : 'missing')
    default:
      return own('invalid_choices')
  }
}

/** Whether text stands under "Other" beside another answer, so that one of the two has to go. */
export function hasOtherUnchosen(question: Question, fields: Fields): boolean {
  const value = field(fields, question.id) ?? ''
  return !takesMany(question) && value !== '' && value !== 'other' && otherText(question, fields) !== ''
}

// Text under "Other" counts as choosing it, ticked or not.
function chosen(question: Question, value: string, fields: Fields): unknown {
  const other = otherText(question, fields)
  if (allowsOther(question) && (value === 'other' || (value === '' && other !== ''))) return { other }
  return value === '' ? null : value
}

function otherText(question: Question, fields: Fields): string {
  return allowsOther(question) ? (field(fields, `${question.id}.other`) ?? '').trim() : ''
}

function toNumber(text: string): unknown {
  const digits = asciiDigits(text)
  return /^\d{1,3}$/.test(digits) ? Number(digits) : text
}

function present(entries: [string, string | undefined][]): Record<string, string> {
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1].trim() !== ''))
}
