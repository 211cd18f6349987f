import type { z } from 'zod'
import { notFound } from '../../../http/problems/problem.ts'
import type { ReadTx } from '../../../platform/database/database.ts'
import type { ExportColumn } from '../../../platform/export-source.ts'
import { sortNames } from '../../../platform/fields/catalogue.ts'
import { fieldNames, fieldOf } from '../../../platform/filter/entity.ts'
import { parseId, type Id } from '../../../platform/ids.ts'
import { heldBy, permissionToRead, type ListName } from '../../../platform/readers.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Question, SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { localize } from '../../../survey-engine/model/text.ts'
import { requireHeld } from '../../access/roles/grants.ts'
import { listDefinitions } from '../../answers/exported-responses/exporting.service.ts'
import { Verbatim } from '../../answers/verbatim/verbatim.schema.ts'
import { listAttributeNames } from '../../outreach/people/people.service.ts'
import { ROWS } from '../../programme/filter-views/filter-views.schema.ts'
import { SurveySummary } from '../../surveys/surveys/surveys.schema.ts'
import { chooseColumns } from '../exports/definition/definition.ts'
import { EXPORT_SOURCES } from '../exports/definition/sources.service.ts'
import type { FieldList, FieldsQuery, LISTS, ListedField } from './fields.schema.ts'
import { doesSuggest, filteredAs, formOf, operatorsIn, refersTo } from './known-field.ts'

type List = (typeof LISTS)[number]

const MOST_CUSTOM = 500
const COLUMNS: Record<List, object> = { ...ROWS, surveys: SurveySummary.shape, verbatim: Verbatim.shape }

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
export function requireList(scope: Scope, list: List): void {
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
  list: List
  surveyId: Id<'survey'> | null
  language?: string | undefined
}

/** @throws Problem 404 for an unknown survey. */
export async function fieldsOf(
  scope: Scope,
  tx: ReadTx,
  { list, surveyId, language }: Asked,
): Promise<Array<z.input<typeof ListedField>>> {
  const held = heldBy(scope.principal)
  const isAboutResponses = filteredAs(list) === 'responses'
  const definitions = isAboutResponses || surveyId ? await listDefinitions(scope, tx, surveyId) : []
  const custom = isAboutResponses ? unique(definitions.flatMap((each) => each.custom_fields)).slice(0, MOST_CUSTOM) : []
  const questions = isAboutResponses && surveyId ? questionsOf(definitions) : new Map<string, Question>()
  const attributes = list === 'people' && held.has('people.manage') ? await listAttributeNames(tx, MOST_CUSTOM) : []
  const exported = await exportedOf(scope, tx, list, surveyId)
  const cells = new Map(exported.map(({ field, type }) => [field, type]))
  const families: Record<string, string[]> = {
    custom,
    attribute: attributes,
    answer: [...questions.values()].filter(({ type }) => type !== 'statement').map(({ id }) => id),
  }
  const filtered = fieldNames(filteredAs(list)).flatMap((name) => {
    const [family, isFamily] = name.split('.<')
    return isFamily ? (families[family ?? ''] ?? []).map((member) => `${family}.${member}`) : [name]
  })
  const shown = Object.keys(COLUMNS[list])
  const names = unique([...filtered, ...sortNames(list), ...shown, ...cells.keys()])
  const mayKnow = (name: string) => {
    const needed = fieldOf(filteredAs(list), name)?.permission
    return needed === undefined || held.has(needed)
  }
  const [{ default_language: first } = { default_language: 'en' }] = definitions
  return names.filter(mayKnow).map((field) => {
    const [family = '', member = ''] = field.split('.')
    const question = family === 'answer' || family === 'text' ? questions.get(member) : undefined
    const form = formOf(list, field, cells.get(field), question)
    const say = (text: Parameters<typeof localize>[0]) => localize(text, language ?? first, first)
    const ops = operatorsIn(list, field)
    return {
      field,
      label: question ? say(question.title) : family === 'custom' || family === 'attribute' ? member : null,
      type: form.type,
      list: form.list,
      refers: refersTo(form),
      ops,
      sort: sortNames(list).includes(field),
      column: shown.includes(field) || (takesFilterColumns(list) && ops.length > 0),
      export: list !== 'surveys' && chooseColumns(exported, [{ field }]).unknown.length === 0,
      values: form.values?.map(({ value, label }) => ({ value, label: label && say(label) })) ?? null,
      suggests: doesSuggest(list, field, form),
    }
  })
}

/** Views of a list show what its filters test, but for the audit log. */
function takesFilterColumns(list: List): boolean {
  return list in ROWS && list !== 'audit'
}

async function exportedOf(
  scope: Scope,
  tx: ReadTx,
  list: ListName,
  surveyId: Id<'survey'> | null,
): Promise<ExportColumn[]> {
  if (list === 'surveys') return []
  const spec = {
    surveyId,
    filter: null,
    labels: 'ids',
    language: null,
    shows: [],
    snapshotAt: scope.clock.now(),
  } as const
  const columns = await EXPORT_SOURCES[list].columns(scope, tx, { ...spec, shows: [], answers: 'wide' })
  // Without a survey, questions of many surveys would have the same names.
  return surveyId ? columns : columns.filter(({ field }) => !/^(?:answer|text)\./.test(field))
}

/** The latest version of each question. */
function questionsOf(definitions: SurveyDefinition[]): Map<string, Question> {
  return new Map(definitions.toReversed().flatMap(({ questions }) => questions.map((one) => [one.id, one] as const)))
}

function unique(names: string[]): string[] {
  return [...new Set(names)]
}
