import type { ReadTx } from '../../../platform/database.ts'
import {
  columnsOf,
  type CellType,
  type ExportColumn,
  type ExportLine,
  type ExportSource,
  type ExportSpec,
} from '../../../platform/export-source.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import { testsOf } from '../../../platform/filter/grammar.ts'
import { formatId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { own } from '../../../survey-engine/model/record.ts'
import { readCurrentSurvey, readDefinition } from '../../surveys/surveys/published-surveys.service.ts'
import { listSurveyIds } from '../../surveys/surveys/survey-names.service.ts'
import { columnsOfQuestions, longLines, wideCells } from './answer-cells.ts'
import { listExported, selectKeys, type ExportedResponse } from './exporting.store.ts'

// Earlier versions and other surveys whose questions have columns.
const MOST_VERSIONS = 50
const MOST_SURVEYS = 100

type Read = (row: ExportedResponse) => unknown

// As the API shows them.
const ABOUT: Record<string, [CellType, Read]> = {
  id: ['text', (row) => formatId('response', row.id)],
  survey_id: ['text', (row) => formatId('survey', row.survey_id)],
  survey_version: ['number', (row) => row.survey_version],
  state: ['text', (row) => row.state],
  channel: ['text', (row) => row.channel],
  language: ['text', (row) => row.language],
  metric: ['text', (row) => (isScored(row) ? row.metric : null)],
  score: ['number', (row) => (isScored(row) ? row.score : null)],
  band: ['text', (row) => (isScored(row) ? row.band : null)],
  agent_id: ['text', (row) => row.agent_id && formatId('agent', row.agent_id)],
  person_id: ['text', (row) => row.person_id && formatId('person', row.person_id)],
  started_at: ['date', (row) => instantOf(row.started_at)],
  completed_at: ['date', (row) => row.completed_at && instantOf(row.completed_at)],
  duration_ms: ['number', (row) => row.duration_ms],
  tags: ['list', (row) => row.tags ?? []],
  quality_flags: ['list', (row) => row.quality_flags ?? []],
  notes: ['json', (row) => row.notes ?? []],
}
const ABOUT_COLUMNS = Object.entries(ABOUT).map(([field, [type]]): ExportColumn => ({ field, type }))
const CELL = columnsOf({ question_id: 'text', question: 'text', item: 'text', value: 'text', text: 'text' })

/** Responses as exports read them. Nobody reads those of an anonymous survey. */
export const exportedResponses: ExportSource = {
  async columns(scope, tx, spec) {
    const definitions = await listDefinitions(scope, tx, spec.surveyId)
    const custom = uniqueBy(
      definitions.flatMap(({ custom_fields }) => custom_fields.map((name) => `custom.${name}`)),
      (field) => field,
    ).map((field): ExportColumn => ({ field, type: 'text' }))
    if (spec.answers === 'long') return [...ABOUT_COLUMNS, ...custom, ...CELL]
    const questions = definitions.flatMap((definition) => columnsOfQuestions(definition, spec))
    return [...ABOUT_COLUMNS, ...custom, ...uniqueBy(questions, ({ field }) => field)]
  },
  async select(_scope, tx, { filter, snapshotAt }) {
    const chosen = filter ?? { all: [] }
    return selectKeys(tx, await compileFilter('responses', chosen, { tx, alias: 'r', now: snapshotAt }), {
      namesState: testsOf(chosen).some(({ field }) => field === 'state'),
    })
  },
  async read(scope, tx, keys, spec, fields) {
    const rows = await listExported(
      tx,
      keys.map(({ id }) => id),
      {
        snapshotAt: spec.snapshotAt,
        wantsDeleted: testsOf(spec.filter ?? { all: [] }).some(({ field }) => field === 'state'),
      },
    )
    const readers = new Map<string, (row: ExportedResponse) => ExportLine[]>()
    const lines: ExportLine[][] = []
    for (const row of rows) {
      const version = `${row.survey_id} ${row.survey_version}`
      let read = readers.get(version)
      if (!read) {
        const definition = await readDefinition(scope, tx, row.survey_id, row.survey_version)
        read = readerOf(row.survey_id, definition, spec, fields)
        readers.set(version, read)
      }
      lines.push(read(row))
    }
    return lines
  },
}

/** Works out where each value of a row stands. */
function readerOf(
  surveyId: Id<'survey'>,
  definition: SurveyDefinition,
  spec: ExportSpec,
  fields: string[],
): (row: ExportedResponse) => ExportLine[] {
  const survey = formatId('survey', surveyId)
  const reads = fields.map((field) => (field === 'survey_id' ? () => survey : readOf(field)))
  const aboutOf = (row: ExportedResponse): ExportLine => reads.map((read) => read?.(row) ?? null)
  if (spec.answers === 'wide') {
    const fill = wideCells(definition, spec, fields)
    return (row) => {
      const line = aboutOf(row)
      fill(row, line)
      return [line]
    }
  }
  const cells = longLines(definition, spec)
  return (row) => {
    const about = aboutOf(row)
    return cells(row).map((cell) => about.map((value, at) => cell[fields[at] as keyof typeof cell] ?? value))
  }
}

/** Null for a field of an answer. */
function readOf(field: string): Read | null {
  if (!field.startsWith('custom.')) return ABOUT[field]?.[1] ?? null
  const name = field.slice('custom.'.length)
  return (row) => row.custom_data && own(row.custom_data, name)
}

/** RFC 3339 of a time in UTC as PostgreSQL writes it: without zeros at the end, and with microseconds. */
function instantOf(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, 23).padEnd(3, '0')}Z`
}

function isScored({ metric, score, band }: ExportedResponse): boolean {
  return metric !== null && score !== null && band !== null
}

/** Newest first, so that the present order of questions comes first. */
async function listDefinitions(scope: Scope, tx: ReadTx, surveyId: Id<'survey'> | null): Promise<SurveyDefinition[]> {
  if (surveyId === null) {
    const ids = (await listSurveyIds(tx)).toSorted().toReversed().slice(0, MOST_SURVEYS)
    const surveys = []
    for (const id of ids) surveys.push((await readCurrentSurvey(scope, tx, id)).definition)
    return surveys
  }
  const { version, definition } = await readCurrentSurvey(scope, tx, surveyId)
  const definitions = [definition]
  for (let earlier = version - 1; earlier > 0 && earlier > version - MOST_VERSIONS; earlier--)
    definitions.push(await readDefinition(scope, tx, surveyId, earlier))
  return definitions
}

/** The first of each key. */
function uniqueBy<Item>(items: Item[], keyOf: (item: Item) => string): Item[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    const key = keyOf(item)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
