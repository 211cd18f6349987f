import type { AnswerValue, AnswerValues, Choosing, CustomData, MatrixLine, Question, SurveyDefinition, Variables } from './definition.ts'
import { isHttpUrl } from './formats.ts'
import { LIMITS } from './limits.ts'
import { messagesFor } from './messages.ts'
import { choicesOf } from './questions.ts'
import { own } from './record.ts'
import { localize } from './text.ts'

export interface PipingContext {
  definition: SurveyDefinition
  values: AnswerValues
  custom_data: CustomData
  variables: Variables
  language: string
}

/**
 * Fills `{{ answer.q1 | default: "…" }}`, `{{ custom.plan }}` and `{{ variable.x }}`; the older `{{answer.q1|…}}` means
 * the same. An unknown name or a missing answer becomes the default, or ''. The result is plain text: escape it before
 * it stands in HTML. One value fills at most 1,000 characters, and placeholders within a value are not filled.
 */
export function pipe(template: string, context: PipingContext): string {
  return fill(template, (placeholder) => clip(textFor(placeholder, context), LIMITS.pipedLength))
}

/**
 * The address with its placeholders filled, each value percent-encoded. Where the values make it longer than an address
 * may be, the defaults stand in their place.
 */
export function pipeAddress(template: string, context: PipingContext): string {
  const filled = fill(template, (placeholder) => encoded(textFor(placeholder, context)))
  return filled.length <= LIMITS.redirectLength ? filled : fill(template, ({ fallback }) => encoded(fallback))
}

/**
 * Whether an address can be redirected to: http(s), no credentials, no encoded control characters, and the host named
 * before the first placeholder, so that no answer chooses it.
 */
export function isPipedHttpUrl(template: string): boolean {
  if (/%(?:[01][0-9a-f]|7f)/i.test(template) || /^https?:\/\/[^/?#]*@/i.test(template)) return false
  const { length } = /^[^{]*/.exec(template)?.[0] ?? ''
  const fixed = template.slice(0, length)
  if (template.startsWith('{{', length) && !/^https?:\/\/[^/?#]+[/?#]/i.test(fixed)) return false
  const sample = fill(template, () => 'x')
  return sample.length <= LIMITS.redirectLength && isHttpUrl(sample)
}

export interface PipingReference {
  source: 'answer' | 'custom' | 'variable'
  name: string
}

interface Placeholder {
  /** Null where it names no source. */
  reference: PipingReference | null
  fallback: string
}

/** Every question, field and variable that a template names. */
export function pipingReferences(template: string): PipingReference[] {
  return [...template.matchAll(PLACEHOLDER)].flatMap(([, subject = '']) => parseReference(subject) ?? [])
}

export type PipingProblem = 'unopened' | 'unclosed' | 'default' | 'source'

/** The placeholders of a template in order, and what is wrong with how they are written. */
export function* readPiping(template: string): Generator<{ excerpt: string; reference: PipingReference } | { excerpt: string; problem: PipingProblem }> {
  let end = 0
  for (const match of template.matchAll(PLACEHOLDER)) {
    yield* strayBraces(template.slice(end, match.index))
    end = match.index + match[0].length
    const [excerpt, subject = '', fallback] = match
    const reference = parseReference(subject)
    if (reference === null) yield { excerpt, problem: 'source' }
    else if (fallback !== undefined && readDefault(fallback) === null) yield { excerpt, problem: 'default' }
    else yield { excerpt, reference }
  }
  yield* strayBraces(template.slice(end))
}

function* strayBraces(literal: string): Generator<{ excerpt: string; problem: PipingProblem }> {
  const opened = literal.indexOf('{{')
  const closed = literal.indexOf('}}')
  if (opened !== -1) yield { excerpt: literal.slice(opened, opened + 80), problem: 'unclosed' }
  else if (closed !== -1) yield { excerpt: literal.slice(Math.max(0, closed - 40), closed + 2), problem: 'unopened' }
}

// Linear: a brace ends both classes, so no two attempts scan the same text.
const PLACEHOLDER = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g
const REFERENCE = /^(answer|custom|variable)\.([A-Za-z0-9][A-Za-z0-9_-]{0,63})$/
const DEFAULT = /^default\s*:/
const QUOTED_DEFAULT = /^default\s*:\s*(?:"([^"]*)"|'([^']*)')$/

function fill(template: string, valueOf: (placeholder: Placeholder) => string): string {
  return template.replace(PLACEHOLDER, (_, subject: string, fallback: string | undefined) =>
    valueOf({ reference: parseReference(subject), fallback: fallback === undefined ? '' : (readDefault(fallback) ?? '') }),
  )
}

/** `default: "…"`, or the older text that is the default itself; null for `default:` without quotes. */
function readDefault(text: string): string | null {
  const quoted = QUOTED_DEFAULT.exec(text.trim())
  if (quoted) return quoted[1] ?? quoted[2] ?? ''
  return DEFAULT.test(text.trim()) ? null : text
}

function parseReference(subject: string): PipingReference | null {
  const [, source, name] = REFERENCE.exec(subject.trim()) ?? []
  if (name === undefined) return null
  if (source === 'answer' || source === 'custom' || source === 'variable') return { source, name }
  return null
}

function textFor({ reference, fallback }: Placeholder, context: PipingContext): string {
  return (reference && referenceText(reference, context)) || fallback
}

// A segment of dots alone would climb in the path, even percent-encoded.
function encoded(text: string): string {
  const line = clip(text, LIMITS.pipedInAddress).replace(/\p{Cc}+/gu, ' ')
  return /^\.+$/.test(line) ? '' : encodeURIComponent(line.toWellFormed())
}

function referenceText({ source, name }: PipingReference, context: PipingContext): string {
  if (source === 'custom') return scalarText(own(context.custom_data, name))
  if (source === 'variable') return scalarText(own(context.variables, name))
  const value = own(context.values, name)
  const question = context.definition.questions.find(({ id }) => id === name)
  return question && value !== undefined ? answerText(question, value, context) : ''
}

function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

function answerText(question: Question, value: AnswerValue, context: PipingContext): string {
  if (typeof value === 'boolean') return messagesFor(context.language, context.definition)(value ? 'yes' : 'no')
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map((item) => choosingText(question, item, context)).join(', ')
  if (typeof value === 'string') return choosingText(question, value, context)
  if (question.type === 'contact') return own(value, 'name') ?? Object.values(value)[0] ?? ''
  if (question.type !== 'matrix') return own(value, 'other') ?? ''
  return Object.entries(value)
    .map(([row, column]) => `${labelOf(question.rows, row, context)}: ${labelOf(question.columns, column, context)}`)
    .join('; ')
}

function choosingText(question: Question, item: Choosing, context: PipingContext): string {
  return typeof item === 'string' ? labelOf(choicesOf(question), item, context) : item.other
}

function labelOf(lines: MatrixLine[], id: string, { language, definition }: PipingContext): string {
  const line = lines.find((candidate) => candidate.id === id)
  return line ? localize(line.label, language, definition.default_language) : id
}

function clip(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most - 1)
  return `${cut.replace(/[\uD800-\uDBFF]$/, '')}…`
}
