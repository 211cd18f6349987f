import type { ExportColumn, ExportLine } from '../../../platform/export-source.ts'
import type { LocalizedText, Question, SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { localize } from '../../../survey-engine/model/text.ts'
import type { ResponseRow } from './response-row.ts'

/** How cells are written: with ids, or in the words of a language. */
export interface Wording {
  labels: 'ids' | 'text'
  language: string | null
}

interface Line {
  id: string
  label: LocalizedText
}

/** The columns of each question, and its words beside them: a choice of several, a rank or a matrix row has its own. */
export function columnsOfQuestions(definition: SurveyDefinition, wording: Wording): ExportColumn[] {
  return definition.questions.flatMap((question) => {
    const say = sayIn(definition, wording)
    const title = say(question.title)
    const titled = (field: string, type: ExportColumn['type'], part?: string): ExportColumn => ({
      field,
      type,
      ...(wording.labels === 'text' && { title: part === undefined ? title : `${title} – ${part}` }),
    })
    const field = `answer.${question.id}`
    const words = wordFields(question).map((name) =>
      titled(name === '' ? `text.${question.id}` : `text.${question.id}.${name}`, 'text', name === '' ? 'text' : name),
    )
    const items = itemsOf(question)
    if (items)
      return [
        ...items.map((item) => titled(`${field}.${item.id}`, itemType(question), say(item.label) || item.id)),
        ...words,
      ]
    return takesAnswer(question) ? [titled(field, answerType(question)), ...words] : words
  })
}

/** The cells of one response, by field. */
export function wideCells(row: ResponseRow, definition: SurveyDefinition, wording: Wording): ExportLine {
  const cells: ExportLine = {}
  for (const { question_id, item, value } of answeredCells(row, definition, wording))
    cells[item === null ? `answer.${question_id}` : `answer.${question_id}.${item}`] = value
  // A choice that was not taken is false where the question was answered.
  for (const question of definition.questions) {
    if (!choosesSeveral(question) || !row.answers.some(({ question_id }) => question_id === question.id)) continue
    for (const { id } of itemsOf(question) ?? []) cells[`answer.${question.id}.${id}`] ??= false
  }
  for (const { question_id, value } of row.text) {
    if (typeof value !== 'object' || value === null) cells[`text.${question_id}`] = value
    else for (const [name, each] of Object.entries(value)) cells[`text.${question_id}.${name}`] = each
  }
  return cells
}

/** A line for each answered cell, and for words without one. */
export function longLines(row: ResponseRow, definition: SurveyDefinition, wording: Wording): ExportLine[] {
  const say = sayIn(definition, wording)
  const titles = new Map(definition.questions.map(({ id, title }) => [id, say(title)]))
  const texts = new Map(row.text.map(({ question_id, value }) => [question_id, value as unknown]))
  const lines: ExportLine[] = []
  for (const { question_id, item, value } of answeredCells(row, definition, wording)) {
    const isOther = item === 'other' || value === 'other'
    const text = item === null || isOther ? (texts.get(question_id) ?? null) : null
    if (text !== null) texts.delete(question_id)
    lines.push({ question_id, question: titles.get(question_id) ?? null, item, value, text })
  }
  for (const [question_id, value] of texts) {
    const parts = typeof value === 'object' && value !== null ? Object.entries(value) : [[null, value]]
    for (const [item, text] of parts)
      lines.push({ question_id, question: titles.get(question_id) ?? null, item, value: null, text })
  }
  return lines
}

interface Cell {
  question_id: string
  /** The choice, row or rank that has its own column. */
  item: string | null
  value: unknown
}

function* answeredCells(row: ResponseRow, definition: SurveyDefinition, wording: Wording): Generator<Cell> {
  const say = sayIn(definition, wording)
  const questions = new Map(definition.questions.map((question) => [question.id, question]))
  for (const { question_id, value } of row.answers) {
    const question = questions.get(question_id)
    const labelled = (id: unknown) => (wording.labels === 'text' && question ? labelOf(question, id, say) : id)
    if (Array.isArray(value)) {
      const isRanking = question?.type === 'ranking'
      for (const [at, item] of value.entries())
        yield { question_id, item: String(item), value: isRanking ? at + 1 : true }
    } else if (typeof value === 'object' && value !== null) {
      for (const [item, each] of Object.entries(value)) yield { question_id, item, value: labelled(each) }
    } else if (question && choosesSeveral(question)) yield { question_id, item: String(value), value: true }
    else yield { question_id, item: null, value: labelled(value) }
  }
}

function sayIn(definition: SurveyDefinition, { language }: Wording): (text: LocalizedText) => string {
  return (text) => localize(text, language ?? definition.default_language, definition.default_language)
}

function labelOf(question: Question, id: unknown, say: (text: LocalizedText) => string): unknown {
  const lines: Line[] = question.type === 'matrix' ? question.columns : 'choices' in question ? question.choices : []
  const line = lines.find((each) => each.id === id)
  return line ? say(line.label) : id
}

function itemsOf(question: Question): Line[] | null {
  if (question.type === 'matrix') return question.rows
  if (question.type === 'ranking') return question.choices
  if (!choosesSeveral(question) || !('choices' in question)) return null
  const other = 'allow_other' in question && question.allow_other ? [{ id: 'other', label: 'other' }] : []
  return [...question.choices, ...other]
}

function choosesSeveral(question: Question): boolean {
  return question.type === 'multi' || (question.type === 'picture' && question.multiple === true)
}

function takesAnswer({ type }: Question): boolean {
  return type !== 'statement' && type !== 'open_text' && type !== 'contact'
}

function itemType({ type }: Question): ExportColumn['type'] {
  if (type === 'matrix') return 'text'
  return type === 'ranking' ? 'number' : 'boolean'
}

const NUMBERS = new Set(['nps', 'csat', 'ces', 'rating', 'slider'])

function answerType({ type }: Question): ExportColumn['type'] {
  if (NUMBERS.has(type)) return 'number'
  return type === 'consent' ? 'boolean' : 'text'
}

/** The fields that a respondent types. An empty name is the text itself. */
function wordFields(question: Question): string[] {
  if (question.type === 'contact') return question.fields ?? ['name', 'email']
  return question.type === 'open_text' || ('allow_other' in question && question.allow_other) ? [''] : []
}
