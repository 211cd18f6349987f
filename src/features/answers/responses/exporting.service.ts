import type { ReadTx } from '../../../platform/database.ts'
import { columnsOf, type ExportColumn, type ExportedRow, type ExportSource } from '../../../platform/export-source.ts'
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
import { presentResponse } from './responses.service.ts'
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
    const exported: ExportedRow[] = []
    for (const row of rows) {
      if (row.anonymity || (row.erased_at && row.erased_at >= spec.snapshotAt)) continue
      if (row.state === 'deleted' && !(wantsDeleted && row.updated_at < spec.snapshotAt)) continue
      const definition = await readDefinition(scope, tx, row.survey_id, row.survey_version)
      const about = aboutOf(row)
      const lines =
        spec.answers === 'long'
          ? longLines(row, definition, spec).map((line) => ({ ...about, ...line }))
          : [{ ...about, ...wideCells(row, definition, spec) }]
      exported.push({ id: row.id, member: null, lines })
    }
    return exported
  },
}

function aboutOf(row: ResponseRow): Record<string, unknown> {
  const { answers: _answers, text: _text, custom_data, score, ...rest } = presentResponse(row)
  return {
    ...rest,
    metric: score?.metric ?? null,
    score: score?.value ?? null,
    band: score?.band ?? null,
    ...Object.fromEntries(Object.entries(custom_data).map(([name, value]) => [`custom.${name}`, value])),
  }
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
