import type { AnswerValues, CustomData, SurveyDefinition, Variables } from '../model/definition.ts'
import { isHttpUrl } from '../model/formats.ts'
import { LIMITS } from '../model/limits.ts'
import { messagesFor } from '../language/messages.ts'
import { own } from '../model/record.ts'
import { localize } from '../model/text.ts'
import type { Showing } from '../types/behaviour.ts'
import { behaviourOf } from '../types/registry.ts'

export interface PipingContext {
  definition: SurveyDefinition
  values: AnswerValues
  custom_data: CustomData
  variables: Variables
  language: string
  budget: PipingBudget
}

/** One for each page and each message: the characters that values may still add to it, and the values read so far. */
export interface PipingBudget {
  left: number
  read: Map<string, string>
}

export function pipingBudget(): PipingBudget {
  return { left: LIMITS.pipedInAll, read: new Map() }
}

/**
 * Fills `{{ answer.q1 | default: "…" }}`, `{{ custom.plan }}` and `{{ variable.x }}`; the older `{{answer.q1|…}}` means
 * the same. An unknown name or a missing answer becomes the default, or ''. The result is plain text: escape it before
 * it stands in HTML. One value fills at most 1,000 characters, and placeholders within a value are not filled. Defaults
 * stand for the values that come after 50 placeholders, or after the budget of the page or the message.
 */
export function pipe(template: string, context: PipingContext): string {
  const { budget } = context
  let placeholders = 0
  let added = 0
  const filled = fill(template, ({ reference, fallback }) => {
    placeholders++
    const fits = placeholders <= LIMITS.placeholders && added < LIMITS.textLength
    const value = reference && fits ? valueOf(reference, context) : ''
    if (value === '' || value.length > budget.left) return clip(fallback, LIMITS.pipedLength)
    budget.left -= value.length
    added += value.length
    return value
  })
  return clip(filled, LIMITS.textLength)
}

/**
 * The address with its placeholders filled, each value percent-encoded. Where the values make it longer than an address
 * may be, the defaults stand in their place.
 */
export function pipeAddress(template: string, context: PipingContext): string {
  const filled = fill(template, (placeholder) =>
    encoded((placeholder.reference && valueOf(placeholder.reference, context)) || placeholder.fallback),
  )
  return filled.length <= LIMITS.redirectLength ? filled : fill(template, ({ fallback }) => encoded(fallback))
}

/**
 * Whether an address can be redirected to: http(s), no credentials, no encoded control characters, and no brace before
 * the path, so that no answer chooses the host.
 */
export function isPipedHttpUrl(template: string): boolean {
  if (/%(?:[01][0-9a-f]|7f)/i.test(template) || /^https?:\/\/[^/?#]*@/i.test(template)) return false
  if (!/^https?:\/\/[^/?#{}]+(?:[/?#]|$)/i.test(template)) return false
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

export function countPlaceholders(template: string): number {
  if (!template.includes('{{')) return 0
  return [...template.matchAll(PLACEHOLDER)].length
}

/** Every question, field and variable that a template names. */
export function pipingReferences(template: string): PipingReference[] {
  if (!template.includes('{{')) return []
  return [...template.matchAll(PLACEHOLDER)].flatMap(([, subject = '']) => parseReference(subject) ?? [])
}

export type PipingProblem = 'unopened' | 'unclosed' | 'default' | 'source'

/** The placeholders of a template in order, and what is wrong with how they are written. */
export function* readPiping(
  template: string,
): Generator<{ excerpt: string; reference: PipingReference } | { excerpt: string; problem: PipingProblem }> {
  if (!template.includes('{{') && !template.includes('}}')) return
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

function fill(template: string, textFor: (placeholder: Placeholder) => string): string {
  return template.replace(PLACEHOLDER, (_, subject: string, fallback: string | undefined) =>
    textFor({
      reference: parseReference(subject),
      fallback: fallback === undefined ? '' : (readDefault(fallback) ?? ''),
    }),
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

/** As much of the value as a placeholder shows. It is read once, however many placeholders name it. */
function valueOf(reference: PipingReference, context: PipingContext): string {
  const { read } = context.budget
  const name = `${reference.source}.${reference.name}`
  const value = read.get(name) ?? clip(referenceText(reference, context), LIMITS.pipedLength)
  read.set(name, value)
  return value
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
  return question && value !== undefined ? behaviourOf(question).show(value, question, showingIn(context)) : ''
}

function showingIn({ language, definition }: PipingContext): Showing {
  return {
    say: messagesFor(language, definition),
    label: (text) => localize(text, language, definition.default_language),
  }
}

function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

function clip(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most - 1)
  return `${cut.replace(/[\uD800-\uDBFF]$/, '')}…`
}
