import type { ExportColumn, ExportLine } from '../../../platform/export-source.ts'
import { mapInSlices } from '../../../platform/loop/turns.ts'
import type { LocalizedText, Question, SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import type { StoredText } from '../../../survey-engine/logic/stored-answers.ts'
import type { StoredValue } from '../../../survey-engine/types/behaviour.ts'
import { contactFieldsOf } from '../../../survey-engine/types/contact.ts'
import { behaviourOf, isOfKind, takesSeveral } from '../../../survey-engine/types/registry.ts'
import { localize } from '../../../survey-engine/model/text.ts'

/** The content of a response: the value of each question, and words. */
export interface Said {
  questions: string[]
  values: StoredValue[]
  text: StoredText[]
}

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
export function* columnsOfQuestions(definition: SurveyDefinition, wording: Wording): Generator<ExportColumn[]> {
  const say = sayIn(definition, wording)
  for (const question of definition.questions) {
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
      yield [
        ...items.map((item) => titled(`${field}.${item.id}`, itemType(question), say(item.label) || item.id)),
        ...words,
      ]
    else {
      const type = answerType(question)
      yield type ? [titled(field, type), ...words] : words
    }
  }
}

/** Writes the cells of responses to one definition into a line. */
export async function wideCells(
  definition: SurveyDefinition,
  wording: Wording,
  { answers, texts }: Places,
): Promise<(row: Said, line: ExportLine) => void> {
  const read = answerReader(definition, wording)
  // A choice that was not taken is false where the question was answered.
  const choices = new Map(
    await mapInSlices(definition.questions.filter(takesSeveral), (question) => {
      const places = answers.get(question.id)
      return [question.id, (itemsOf(question) ?? []).flatMap(({ id }) => places?.get(id) ?? [])]
    }),
  )
  return (row, line) => {
    for (const [at, question] of row.questions.entries()) {
      const places = answers.get(question)
      if (!places) continue
      for (const place of choices.get(question) ?? []) line[place] = false
      for (const [item, cell] of read(question, row.values[at] as StoredValue)) put(line, places.get(item ?? ''), cell)
    }
    for (const { question_id, value } of row.text) {
      const places = texts.get(question_id)
      if (typeof value !== 'object' || value === null) put(line, places?.get(''), value)
      else for (const [name, each] of Object.entries(value)) put(line, places?.get(name), each)
    }
  }
}

/**
 * Where the cells of a question stand in a line, by choice, row, rank or name. The empty name is the question itself.
 */
type PlacesOf = Map<string, Map<string, number>>

export interface Places {
  answers: PlacesOf
  texts: PlacesOf
}

/** Finds the places of fields in a line. */
export async function placesIn(fields: string[]): Promise<Places> {
  const places: Places = { answers: new Map(), texts: new Map() }
  await mapInSlices(fields.entries(), ([at, field]) => {
    const [family, question = '', item = ''] = field.split('.')
    const within = family === 'answer' ? places.answers : family === 'text' ? places.texts : null
    const ofQuestion = within?.get(question) ?? new Map<string, number>()
    within?.set(question, ofQuestion.set(item, at))
  })
  return places
}

function put(line: ExportLine, at: number | undefined, value: unknown): void {
  if (at !== undefined) line[at] = value
}

export interface LongCell {
  question_id: string
  question: string | null
  item: string | null
  value: unknown
  text: unknown
}

/** Reads each answered cell, and words without one. */
export function longLines(definition: SurveyDefinition, wording: Wording): (row: Said) => LongCell[] {
  const read = answerReader(definition, wording)
  const say = sayIn(definition, wording)
  const titles = new Map(definition.questions.map(({ id, title }) => [id, say(title)]))
  return (row) => {
    const texts = new Map(row.text.map(({ question_id, value }) => [question_id, value as unknown]))
    const cells: LongCell[] = []
    const add = (question_id: string, item: string | null, value: unknown, text: unknown) =>
      cells.push({ question_id, question: titles.get(question_id) ?? null, item, value, text })
    for (const [at, question] of row.questions.entries()) {
      for (const [item, value] of read(question, row.values[at] as StoredValue)) {
        const isOther = item === 'other' || value === 'other'
        const text = item === null || isOther ? (texts.get(question) ?? null) : null
        if (text !== null) texts.delete(question)
        add(question, item, value, text)
      }
    }
    for (const [question, value] of texts) {
      if (typeof value !== 'object' || value === null) add(question, null, null, value)
      else for (const [item, text] of Object.entries(value)) add(question, item, null, text)
    }
    return cells
  }
}

/** The cells of an answer: its own (null), or those of the choices, rows or ranks that have columns. */
type ReadAnswer = (question: string, value: StoredValue) => Array<[item: string | null, cell: unknown]>

// An export reads a million rows, so everything that depends on the definition alone is worked out once.
function answerReader(definition: SurveyDefinition, wording: Wording): ReadAnswer {
  const say = sayIn(definition, wording)
  const asIs = (id: unknown) => id
  const questions = new Map(
    definition.questions.map((question) => [
      question.id,
      {
        isRanking: isOfKind(question, 'ranking'),
        isSeveral: takesSeveral(question),
        labelled: wording.labels === 'text' ? (id: unknown) => labelOf(question, id, say) : asIs,
      },
    ]),
  )
  return (id, value) => {
    const question = questions.get(id)
    const labelled = question?.labelled ?? asIs
    if (typeof value !== 'object') return question?.isSeveral ? [[String(value), true]] : [[null, labelled(value)]]
    if (Array.isArray(value)) return value.map((item, at) => [String(item), question?.isRanking ? at + 1 : true])
    return Object.entries(value).map(([item, cell]) => [item, labelled(cell)])
  }
}

function sayIn(definition: SurveyDefinition, { language }: Wording): (text: LocalizedText) => string {
  return (text) => localize(text, language ?? definition.default_language, definition.default_language)
}

function labelOf(question: Question, id: unknown, say: (text: LocalizedText) => string): unknown {
  const lines: Line[] = isOfKind(question, 'matrix') ? question.columns : 'choices' in question ? question.choices : []
  const line = lines.find((each) => each.id === id)
  return line ? say(line.label) : id
}

function itemsOf(question: Question): Line[] | null {
  if (isOfKind(question, 'matrix')) return question.rows
  if (isOfKind(question, 'ranking')) return question.choices
  if (!takesSeveral(question) || !('choices' in question)) return null
  const other = 'allow_other' in question && question.allow_other ? [{ id: 'other', label: 'other' }] : []
  return [...question.choices, ...other]
}

function itemType(question: Question): ExportColumn['type'] {
  if (isOfKind(question, 'matrix')) return 'text'
  return isOfKind(question, 'ranking') ? 'number' : 'boolean'
}

/** Null where the answer is nothing but words. */
function answerType(question: Question): ExportColumn['type'] | null {
  switch (behaviourOf(question).kind) {
    case 'scale':
    case 'number':
      return 'number'
    case 'yes':
      return 'boolean'
    case 'text':
    case 'fields':
    case 'none':
      return null
    default:
      return 'text'
  }
}

/** The fields that a respondent types. An empty name is the text itself. */
function wordFields(question: Question): string[] {
  if (isOfKind(question, 'fields')) return contactFieldsOf(question)
  return isOfKind(question, 'text') || ('allow_other' in question && question.allow_other) ? [''] : []
}
