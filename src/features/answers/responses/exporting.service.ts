import type { ReadTx } from '../../../platform/database.ts'
import {
  columnsOf,
  type ExportColumn,
  type ExportedRow,
  type ExportLine,
  type ExportSource,
  type ExportSpec,
} from '../../../platform/export-source.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import { testsOf } from '../../../platform/filter/grammar.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { readCurrentSurvey, readDefinition } from '../../surveys/surveys/published-surveys.service.ts'
import { listSurveyIds } from '../../surveys/surveys/survey-names.service.ts'
import { columnsOfQuestions, longLines, wideCells } from './answer-cells.ts'
import { selectKeys } from './exporting.store.ts'
import type { ResponseRow } from './response-row.ts'
import { presentResponse } from './present-response.ts'
import * as store from './responses.store.ts'

// Earlier versions and other surveys whose questions have columns.
const MOST_VERSIONS = 50
const MOST_SURVEYS = 100

const ABOUT = columnsOf({
  id: 'text',
  survey_id: 'text',
  survey_version: 'number',
  state: 'text',
  channel: 'text',
  language: 'text',
  metric: 'text',
  score: 'number',
  band: 'text',
  agent_id: 'text',
  person_id: 'text',
  started_at: 'date',
  completed_at: 'date',
  duration_ms: 'number',
  tags: 'list',
  quality_flags: 'list',
  notes: 'json',
})
const CELL = columnsOf({ question_id: 'text', question: 'text', item: 'text', value: 'text', text: 'text' })

/** Responses as exports read them. Nobody reads those of an anonymous survey. */
export const exportedResponses: ExportSource = {
  async columns(scope, tx, spec) {
    const definitions = await listDefinitions(scope, tx, spec.surveyId)
    const custom = uniqueBy(
      definitions.flatMap(({ custom_fields }) => custom_fields.map((name) => `custom.${name}`)),
      (field) => field,
    ).map((field): ExportColumn => ({ field, type: 'text' }))
    if (spec.answers === 'long') return [...ABOUT, ...custom, ...CELL]
    const questions = definitions.flatMap((definition) => columnsOfQuestions(definition, spec))
    return [...ABOUT, ...custom, ...uniqueBy(questions, ({ field }) => field)]
  },
  async select(_scope, tx, { filter, snapshotAt }) {
    const chosen = filter ?? { all: [] }
    return selectKeys(tx, await compileFilter('responses', chosen, { tx, alias: 'r', now: snapshotAt }), {
      namesState: testsOf(chosen).some(({ field }) => field === 'state'),
    })
  },
  async read(scope, tx, keys, spec) {
    const rows = await store.listById(
      tx,
      keys.map(({ id }) => id as Id<'response'>),
    )
    const wantsDeleted = testsOf(spec.filter ?? { all: [] }).some(({ field }) => field === 'state')
    const isThere = (row: ResponseRow) =>
      !row.anonymity &&
      !(row.erased_at && row.erased_at >= spec.snapshotAt) &&
      (row.state !== 'deleted' || (wantsDeleted && row.updated_at < spec.snapshotAt))
    const readers = new Map<string, (row: ResponseRow) => ExportLine[]>()
    const exported: ExportedRow[] = []
    for (const row of rows.filter(isThere)) {
      const version = `${row.survey_id} ${row.survey_version}`
      let linesOf = readers.get(version)
      if (!linesOf) {
        linesOf = readerOf(await readDefinition(scope, tx, row.survey_id, row.survey_version), spec)
        readers.set(version, linesOf)
      }
      exported.push({ id: row.id, member: null, lines: linesOf(row) })
    }
    return exported
  },
}

function readerOf(definition: SurveyDefinition, spec: ExportSpec): (row: ResponseRow) => ExportLine[] {
  if (spec.answers === 'long') {
    const long = longLines(definition, spec)
    return (row) => {
      const about = aboutOf(row)
      return long(row).map((line) => ({ ...about, ...line }))
    }
  }
  const wide = wideCells(definition, spec)
  return (row) => [Object.assign(aboutOf(row), wide(row))]
}

function aboutOf(row: ResponseRow): ExportLine {
  const { answers: _answers, text: _text, custom_data, score, ...about } = presentResponse(row)
  const line: ExportLine = about
  line['metric'] = score?.metric ?? null
  line['score'] = score?.value ?? null
  line['band'] = score?.band ?? null
  for (const name in custom_data) line[`custom.${name}`] = custom_data[name]
  return line
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
