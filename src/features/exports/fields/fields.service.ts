import type { z } from 'zod'
import { notFound } from '../../../http/problems/problem.ts'
import type { ExportColumn } from '../../../platform/export-source.ts'
import { sortNames } from '../../../platform/fields/catalogue.ts'
import { filteredAs, listNamed } from '../../../platform/fields/lists.ts'
import { fieldNames, fieldOf } from '../../../platform/filter/entity.ts'
import { parseId, type Id } from '../../../platform/ids.ts'
import { mapInSlices } from '../../../platform/loop/turns.ts'
import { heldBy, permissionToRead, type ListName } from '../../../platform/readers.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { LocalizedText, SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { localize } from '../../../survey-engine/model/text.ts'
import { requireHeld } from '../../access/roles/permission-rules.ts'
import { gatherColumns } from '../../answers/exported-responses/exporting.service.ts'
import { listAttributeNames } from '../../outreach/people/people.service.ts'
import { gatherDefinitions, requireSurvey, seeDefinitions } from '../../surveys/surveys/definitions.service.ts'
import { VIEWED } from '../../programme/filter-views/filter-views.schema.ts'
import { takenBy } from '../exports/definition/definition.ts'
import type { FieldList, FieldsQuery, ListedField } from './fields.schema.ts'
import {
  doesSuggest,
  formOf,
  knownQuestion,
  operatorsIn,
  refersTo,
  type Form,
  type KnownQuestion,
} from './known-field.ts'

const MOST_CUSTOM = 500
const MOST_CELLS = 2_000
const MOST_QUESTIONS = 500

/** @throws Problem 403 for a list that the caller may not read, 404 for an unknown survey. */
export async function listFields(
  scope: Scope,
  query: z.output<typeof FieldsQuery>,
): Promise<z.input<typeof FieldList>> {
  requireList(scope, query.entity)
  const surveyId = surveyIn(query.survey_id)
  const data = await inLine(scope, query.entity, () =>
    fieldsOf(scope, { list: query.entity, surveyId, language: query.language, choicesOf: null }),
  )
  return { data }
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
  /** The only field whose choices are needed. Null: all. */
  choicesOf: string | null
}

interface Known {
  questions: Map<string, KnownQuestion>
  /** The fields that filters test, as far as the caller may know them. */
  filtered: string[]
}

/** The fields whose values are proposed, with their forms. @throws Problem 404 for an unknown survey. */
export function suggestedFields(scope: Scope, asked: Asked & { choicesOf: string }): Promise<Map<string, Form>> {
  const { list } = asked
  return inLine(scope, list, async () => {
    const { questions, filtered } = await knownOf(scope, asked)
    const forms = filtered.map((field) => [field, formOf(list, field, undefined, questions)] as const)
    return new Map(forms.filter(([field, form]) => doesSuggest(list, field, form)))
  })
}

function inLine<Result>(scope: Scope, list: ListName, work: () => Promise<Result>): Promise<Result> {
  return isAboutResponses(list) ? gatherDefinitions(scope, work) : work()
}

/** @throws Problem 404 for an unknown survey. */
async function fieldsOf(scope: Scope, asked: Asked): Promise<Array<z.input<typeof ListedField>>> {
  const { list, surveyId } = asked
  const columns = list === 'responses' ? gatherColumns({ answers: 'wide', labels: 'ids', language: null }) : undefined
  const { questions, filtered } = await knownOf(scope, asked, (definition) =>
    // Without a survey, questions of many surveys would have the same names.
    columns?.see(surveyId ? definition : { ...definition, questions: [] }),
  )
  const exported = await exportedOf(scope, list, surveyId, columns?.columns())
  const isExported = listNamed(list).exported ? takenBy(exported) : () => false
  const cells = new Map(exported.map(({ field, type }) => [field, type]))
  const sorted = new Set(sortNames(list))
  const shown = new Set(listNamed(list).members)
  const names = [...new Set([...filtered, ...sorted, ...shown, ...cells.keys()])]
  const mayKnow = knowing(scope, list)
  return mapInSlices(names.filter(mayKnow), (field) => {
    const [family = '', member = ''] = field.split('.')
    const question = questionIn(questions, field)
    const form = formOf(list, field, cells.get(field), questions)
    const ops = operatorsIn(list, field)
    return {
      field,
      label: question ? question.title : family === 'custom' || family === 'attribute' ? member : null,
      type: form.type,
      list: form.list,
      refers: refersTo(form),
      ops,
      sort: sorted.has(field),
      column: shown.has(field) || (takesFilterColumns(list) && ops.length > 0),
      export: isExported(field),
      values: form.values ?? null,
      suggests: doesSuggest(list, field, form),
    }
  })
}

async function knownOf(
  scope: Scope,
  { list, surveyId, language, choicesOf }: Asked,
  see?: (definition: SurveyDefinition) => Promise<void> | undefined,
): Promise<Known> {
  const isAbout = isAboutResponses(list)
  if (surveyId && !isAbout) await requireSurvey(scope, surveyId)
  const custom = new Set<string>()
  const questions = new Map<string, KnownQuestion>()
  // Titles are in the language of the newest definition, which comes first.
  let first: string | null = null
  if (isAbout)
    await seeDefinitions(scope, surveyId, async (definition) => {
      const fallback = (first ??= definition.default_language)
      const say = (text: LocalizedText) => localize(text, language ?? fallback, fallback)
      for (const name of definition.custom_fields) custom.add(name)
      await mapInSlices(surveyId ? definition.questions : [], (question) => {
        // The latest version of each question. Each may have 200 choices.
        if (questions.has(question.id) || questions.size >= MOST_QUESTIONS) return
        const hasValues = choicesOf === null || choicesOf === `answer.${question.id}`
        questions.set(question.id, knownQuestion(question, say, hasValues))
      })
      await see?.(definition)
    })
  const mayReadAttributes = list === 'people' && heldBy(scope.principal).has('people.manage')
  const families: Record<string, string[]> = {
    custom: [...custom].slice(0, MOST_CUSTOM),
    attribute: mayReadAttributes ? await scope.read((tx) => listAttributeNames(tx, MOST_CUSTOM)) : [],
    answer: [...questions].flatMap(([id, question]) => (question.takesAnswer ? [id] : [])),
  }
  const filtered = fieldNames(filteredAs(list)).flatMap((name) => {
    const [family, isFamily] = name.split('.<')
    return isFamily ? (families[family ?? ''] ?? []).map((member) => `${family}.${member}`) : [name]
  })
  return { questions, filtered: filtered.filter(knowing(scope, list)) }
}

function isAboutResponses(list: ListName): boolean {
  return filteredAs(list) === 'responses'
}

/** Whether the caller may know a field. */
function knowing({ principal }: Scope, list: ListName): (name: string) => boolean {
  const held = heldBy(principal)
  return (name) => {
    const needed = fieldOf(filteredAs(list), name)?.permission
    return needed === undefined || held.has(needed)
  }
}

function questionIn(questions: Map<string, KnownQuestion>, field: string): KnownQuestion | undefined {
  const [family, member = ''] = field.split('.')
  return family === 'answer' || family === 'text' ? questions.get(member) : undefined
}

/** Views of a list show what its filters test, but for the audit log. */
function takesFilterColumns(list: ListName): boolean {
  return list !== 'audit' && VIEWED.some((viewed) => viewed === list)
}

async function exportedOf(
  scope: Scope,
  list: ListName,
  surveyId: Id<'survey'> | null,
  ofSurveys: ExportColumn[] | undefined,
): Promise<ExportColumn[]> {
  const source = listNamed(list).exported
  if (!source) return []
  const spec = {
    surveyId,
    filter: null,
    answers: 'wide',
    labels: 'ids',
    language: null,
    shows: [],
    snapshotAt: scope.clock.now(),
  } as const
  return fewer(await source.columns(scope, { ...spec, shows: [] }, ofSurveys))
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
