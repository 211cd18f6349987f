import type { AnswerValue, AnswerValues, Choosing, CustomData, MatrixLine, Question, SurveyDefinition, Variables } from './definition.ts'
import { LIMITS } from './limits.ts'
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
 * Fills `{{answer.q1|fallback}}`, `{{custom.plan}}` and `{{variable.x}}`. What is unknown or unanswered becomes its
 * fallback, or ''. The result is plain text: whoever puts it into HTML escapes it. One value fills at most 1,000
 * characters, and what it says is never filled again.
 */
export function pipe(template: string, context: PipingContext): string {
  return template.replace(PLACEHOLDER, (_, subject: string, fallback: string | undefined) => {
    const reference = parseReference(subject)
    const text = reference ? referenceText(reference, context) : ''
    return text === '' ? (fallback ?? '') : clip(text)
  })
}

export interface PipingReference {
  source: 'answer' | 'custom' | 'variable'
  name: string
}

/** Every placeholder of a template, null standing for one that names no source. */
export function pipingReferences(template: string): { placeholder: string; reference: PipingReference | null }[] {
  return [...template.matchAll(PLACEHOLDER)].map(([placeholder, subject = '']) => ({
    placeholder,
    reference: parseReference(subject),
  }))
}

// Linear: a brace ends both classes, so no two attempts scan the same text.
const PLACEHOLDER = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g
const REFERENCE = /^(answer|custom|variable)\.([A-Za-z0-9][A-Za-z0-9_-]{0,63})$/

function parseReference(subject: string): PipingReference | null {
  const [, source, name] = REFERENCE.exec(subject.trim()) ?? []
  if (name === undefined) return null
  if (source === 'answer' || source === 'custom' || source === 'variable') return { source, name }
  return null
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
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
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

function clip(text: string): string {
  if (text.length <= LIMITS.pipedLength) return text
  const cut = text.slice(0, LIMITS.pipedLength - 1)
  return `${cut.replace(/[\uD800-\uDBFF]$/, '')}…`
}
