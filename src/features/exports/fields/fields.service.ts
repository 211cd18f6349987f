import type { z } from 'zod'
import { notFound } from '../../../http/problems/problem.ts'
import type { ReadTx } from '../../../platform/database/database.ts'
import type { ExportColumn } from '../../../platform/export-source.ts'
import { sortNames } from '../../../platform/fields/catalogue.ts'
import { filteredAs, listNamed } from '../../../platform/fields/lists.ts'
import { fieldNames, fieldOf } from '../../../platform/filter/entity.ts'
import { parseId, type Id } from '../../../platform/ids.ts'
import { mapInSlices } from '../../../platform/loop/turns.ts'
import { heldBy, permissionToRead, type ListName } from '../../../platform/readers.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Question, SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { localize } from '../../../survey-engine/model/text.ts'
import { takesAnswer } from '../../../survey-engine/types/registry.ts'
import { requireHeld } from '../../access/roles/grants.ts'
import { listDefinitions } from '../../answers/exported-responses/exporting.service.ts'
import { listAttributeNames } from '../../outreach/people/people.service.ts'
import { VIEWED } from '../../programme/filter-views/filter-views.schema.ts'
import { takenBy } from '../exports/definition/definition.ts'
import type { FieldList, FieldsQuery, ListedField } from './fields.schema.ts'
import { doesSuggest, formOf, operatorsIn, refersTo, type Form } from './known-field.ts'

const MOST_CUSTOM = 500
const MOST_CELLS = 2_000
const MOST_QUESTIONS = 500

/** @throws Problem 403 for a list that the caller may not read, 404 for an unknown survey. */
export async function listFields(
  scope: Scope,
  query: z.output<typeof FieldsQuery>,
): Promise<z.input<typeof FieldList>> {
  requireList(scope, query.entity)
  return scope.read(async (tx) => {
    const surveyId = surveyIn(query.survey_id)
    return { data: await fieldsOf(scope, tx, { list: query.entity, surveyId, language: query.language }) }
  })
}

/** @throws Problem 403. */
export function requireList(scope: Scope, list: ListName): void {
  const needed = permissionToRead(list)
  if (needed) requireHeld(scope.principal, [needed])
}

/** @throws Problem 404 for a malformed one. */
export function surveyIn(text: string | undefined): Id<'survey'> | null {
  if (text === undefined) return null
  const id = parseId('survey', text)
  if (!id) throw notFound('survey')
  return id
}

interface Asked {
  list: ListName
  surveyId: Id<'survey'> | null
  language?: string | undefined
}

interface Known {
  definitions: SurveyDefinition[]
  questions: Map<string, Question>
  /** The fields that filters test, as far as the caller may know them. */
  filtered: string[]
}

/** The fields whose values are proposed, with their forms. @throws Problem 404 for an unknown survey. */
export async function suggestedFields(scope: Scope, tx: ReadTx, asked: Asked): Promise<Map<string, Form>> {
  const { list } = asked
  const { questions, filtered } = await knownOf(scope, tx, asked)
  const forms = filtered.map((field) => [field, formOf(list, field, undefined, questions)] as const)
  return new Map(forms.filter(([field, form]) => doesSuggest(list, field, form)))
}

/** @throws Problem 404 for an unknown survey. */
async function fieldsOf(scope: Scope, tx: ReadTx, asked: Asked): Promise<Array<z.input<typeof ListedField>>> {
  const { list, surveyId, language } = asked
  const { definitions, questions, filtered } = await knownOf(scope, tx, asked)
  const exported = await exportedOf(scope, tx, list, surveyId)
  const isExported = listNamed(list).exported ? takenBy(exported) : () => false
  const cells = new Map(exported.map(({ field, type }) => [field, type]))
  const sorted = new Set(sortNames(list))
  const shown = new Set(listNamed(list).members)
  const names = [...new Set([...filtered, ...sorted, ...shown, ...cells.keys()])]
  const mayKnow = knowing(scope, list)
  const [{ default_language: first } = { default_language: 'en' }] = definitions
  const say = (text: Parameters<typeof localize>[0]) => localize(text, language ?? first, first)
  return mapInSlices(names.filter(mayKnow), (field) => {
    const [family = '', member = ''] = field.split('.')
    const question = questionIn(questions, field)
    const form = formOf(list, field, cells.get(field), questions)
    const ops = operatorsIn(list, field)
    return {
      field,
      label: question ? say(question.title) : family === 'custom' || family === 'attribute' ? member : null,
      type: form.type,
      list: form.list,
      refers: refersTo(form),
      ops,
      sort: sorted.has(field),
      column: shown.has(field) || (takesFilterColumns(list) && ops.length > 0),
      export: isExported(field),
      values: form.values?.map(({ value, label }) => ({ value, label: label && say(label) })) ?? null,
      suggests: doesSuggest(list, field, form),
    }
  })
}

async function knownOf(scope: Scope, tx: ReadTx, { list, surveyId }: Asked): Promise<Known> {
  const isAboutResponses = filteredAs(list) === 'responses'
  const definitions = isAboutResponses || surveyId ? await listDefinitions(scope, tx, surveyId) : []
  const questions = isAboutResponses && surveyId ? questionsOf(definitions) : new Map<string, Question>()
  const mayReadAttributes = heldBy(scope.principal).has('people.manage')
  const families: Record<string, string[]> = {
    custom: isAboutResponses ? unique(definitions.flatMap((each) => each.custom_fields)).slice(0, MOST_CUSTOM) : [],
    attribute: list === 'people' && mayReadAttributes ? await listAttributeNames(tx, MOST_CUSTOM) : [],
    answer: [...questions.values()].filter(takesAnswer).map(({ id }) => id),
  }
  const filtered = fieldNames(filteredAs(list)).flatMap((name) => {
    const [family, isFamily] = name.split('.<')
    return isFamily ? (families[family ?? ''] ?? []).map((member) => `${family}.${member}`) : [name]
  })
  return { definitions, questions, filtered: filtered.filter(knowing(scope, list)) }
}

/** Whether the caller may know a field. */
function knowing({ principal }: Scope, list: ListName): (name: string) => boolean {
  const held = heldBy(principal)
  return (name) => {
    const needed = fieldOf(filteredAs(list), name)?.permission
    return needed === undefined || held.has(needed)
  }
}

function questionIn(questions: Map<string, Question>, field: string): Question | undefined {
  const [family, member = ''] = field.split('.')
  return family === 'answer' || family === 'text' ? questions.get(member) : undefined
}

/** Views of a list show what its filters test, but for the audit log. */
function takesFilterColumns(list: ListName): boolean {
  return list !== 'audit' && VIEWED.some((viewed) => viewed === list)
}

async function exportedOf(
  scope: Scope,
  tx: ReadTx,
  list: ListName,
  surveyId: Id<'survey'> | null,
): Promise<ExportColumn[]> {
  const source = listNamed(list).exported
  if (!source) return []
  const spec = {
    surveyId,
    filter: null,
    labels: 'ids',
    language: null,
    shows: [],
    snapshotAt: scope.clock.now(),
  } as const
  const columns = await source.columns(scope, tx, { ...spec, shows: [], answers: 'wide' })
  // Without a survey, questions of many surveys would have the same names.
  if (surveyId) return fewer(columns)
  return columns.filter(({ field }) => !/^(?:answer|text)\./.test(field))
}

/** The first columns, and one of each question behind them: 180 questions may have 200 choices each. */
async function fewer(columns: ExportColumn[]): Promise<ExportColumn[]> {
  if (columns.length <= MOST_CELLS) return columns
  const questions = new Set<string>()
  let at = 0
  const few = await mapInSlices(columns, (column) => {
    const [family, question] = column.field.split('.')
    const isNew = !questions.has(`${family}.${question}`)
    questions.add(`${family}.${question}`)
    at += 1
    return at <= MOST_CELLS || isNew ? [column] : []
  })
  return few.flat()
}

/** The latest version of each question, those of the newest version first. Each may have 200 choices. */
function questionsOf(definitions: SurveyDefinition[]): Map<string, Question> {
  const latest = new Map<string, Question>()
  for (const { questions } of definitions)
    for (const question of questions)
      if (!latest.has(question.id) && latest.size < MOST_QUESTIONS) latest.set(question.id, question)
  return latest
}

function unique(names: string[]): string[] {
  return [...new Set(names)]
}
