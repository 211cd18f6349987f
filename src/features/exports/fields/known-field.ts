import type { CellType } from '../../../platform/export-source.ts'
import { entityOf } from '../../../platform/fields/catalogue.ts'
import type { ValueType } from '../../../platform/fields/values.ts'
import { filteredAs, listNamed } from '../../../platform/fields/lists.ts'
import { fieldOf, operatorsOf, type Field } from '../../../platform/filter/entity.ts'
import type { IdKind } from '../../../platform/ids.ts'
import type { ListName } from '../../../platform/readers.ts'
import type { LocalizedText, Question } from '../../../survey-engine/model/definition.ts'
import type { Kind } from '../../../survey-engine/types/behaviour.ts'
import { own } from '../../../survey-engine/model/record.ts'
import { behaviourOf, isOfKind, takesAnswer } from '../../../survey-engine/types/registry.ts'
import { REFERS } from './fields.schema.ts'

type Type = 'text' | 'number' | 'boolean' | 'date' | 'choice' | 'id'

/** The form of the values of a field. */
export interface Form {
  type: Type
  list: boolean
  idKind?: IdKind | undefined
  values?: Array<{ value: string; label: string | null }> | undefined
}

/** A question of a survey, without its definition, which takes ten times as much memory. */
export interface KnownQuestion {
  title: string
  takesAnswer: boolean
  form: Form
}

/** The fields of responses whose values are the ids of questions. */
const ASKED = new Set(['reached', 'dropped_off'])

export function operatorsIn(list: ListName, name: string) {
  const field = fieldOf(filteredAs(list), name)
  return field ? [...operatorsOf(field)] : []
}

export function refersTo({ idKind }: Form) {
  return (idKind && own(REFERS, idKind)) ?? null
}

export function doesSuggest(list: ListName, name: string, form: Form): boolean {
  if (operatorsIn(list, name).length === 0) return false
  if (/^(?:custom|attribute)\./.test(name)) return true
  return name.startsWith('answer.') ? form.type === 'choice' : listNamed(list).suggests.includes(name)
}

/** By the filter, else by the declared column, else by the cell of an export. @param questions those of the survey. */
export function formOf(
  list: ListName,
  name: string,
  cell: CellType | undefined,
  questions: ReadonlyMap<string, KnownQuestion>,
): Form {
  const question = name.startsWith('answer.') ? questions.get(name.slice('answer.'.length)) : undefined
  if (question) return question.form
  const field = fieldOf(filteredAs(list), name)
  if (field && ASKED.has(name) && questions.size > 0) {
    const values = [...questions].map(([id, { title }]) => ({ value: id, label: title }))
    return { ...formOfField(field), type: 'choice', values }
  }
  if (field) return formOfField(field)
  const column = entityOf(list)?.columns.get(name)
  if (!column) return formOfType(cell ?? 'text')
  const { type, idKind, values } = column.is
  return values ? choice(values) : { ...formOfType(type), ...(idKind && { type: 'id', idKind }) }
}

function formOfField(field: Field): Form {
  const { kind, idKind, values } = field.kind === 'own' ? (field.holds ?? { kind: 'text' as const }) : field
  const form = values ? choice(values) : formOfType(kind)
  return { ...form, list: kind === 'list', ...(idKind && { type: 'id', idKind }) }
}

function choice(values: readonly string[]): Form {
  return { type: 'choice', list: false, values: values.map((value) => ({ value, label: null })) }
}

function formOfType(type: ValueType | CellType | 'mixed'): Form {
  if (type === 'list' || type === 'ids') return { type: 'text', list: true }
  if (type === 'whole') return { type: 'number', list: false }
  return { type: type === 'json' || type === 'mixed' ? 'text' : type, list: false }
}

/** @param say puts texts into the language that is asked. @param hasValues false leaves the choices out. */
export function knownQuestion(
  question: Question,
  say: (text: LocalizedText) => string,
  hasValues: boolean,
): KnownQuestion {
  const { values, ...form } = formOfQuestion(question)
  const said = hasValues ? values?.map(({ value, label }) => ({ value, label: label && say(label) })) : undefined
  return { title: say(question.title), takesAnswer: takesAnswer(question), form: { ...form, values: said } }
}

interface FormOfQuestion extends Omit<Form, 'values'> {
  values?: Array<{ value: string; label: LocalizedText | null }>
}

function formOfQuestion(question: Question): FormOfQuestion {
  const { kind, takesSeveral } = behaviourOf(question)
  if ('choices' in question)
    return {
      type: 'choice',
      // An earlier version may have taken several pictures where this one takes one.
      list: kind === 'ranking' || takesSeveral !== undefined,
      values: [
        ...question.choices.map(({ id, label }) => ({ value: id, label })),
        ...('allow_other' in question && question.allow_other ? [{ value: 'other', label: null }] : []),
      ],
    }
  if (isOfKind(question, 'matrix'))
    return { type: 'choice', list: true, values: question.columns.map(({ id, label }) => ({ value: id, label })) }
  return { type: TYPES[kind] ?? 'text', list: false }
}

const TYPES: Partial<Record<Kind, Type>> = { scale: 'number', number: 'number', date: 'date', yes: 'boolean' }
