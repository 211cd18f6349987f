import type { ReadTx } from '../../../platform/database/database.ts'
import {
  columnsOf,
  doneUpTo,
  type ExportColumn,
  type ExportLine,
  type ExportSource,
  type ExportSpec,
} from '../../../platform/export-source.ts'
import type { Column } from '../../../platform/fields/entity.ts'
import type { Listed } from '../../../platform/fields/lists.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import { testsOf } from '../../../platform/filter/grammar.ts'
import { formatId, type Id, type IdKind } from '../../../platform/ids.ts'
import { mapInSlices, startSlices } from '../../../platform/loop/turns.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { StoredText } from '../../../survey-engine/logic/stored-answers.ts'
import type { CustomData, SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { own } from '../../../survey-engine/model/record.ts'
import type { StoredValue } from '../../../survey-engine/types/behaviour.ts'
import { SurveyResponse } from '../responses/responses.schema.ts'
import { responses } from '../rows/response.entity.ts'
import { gatherDefinitions, seeDefinitions } from '../../surveys/surveys/definitions.service.ts'
import { readSized } from '../../surveys/surveys/published-surveys.service.ts'
import { columnsOfQuestions, longLines, placesIn, wideCells, type Places, type Said } from './answer-cells.ts'
import { readFacts, type FactsOf, type ResponseFacts } from './exported-facts.service.ts'
import { ABOUT, listExported, placeOf, selectKeys, type ExportedCells } from './exporting.store.ts'

const MOST_COLUMNS = 20_000
// Of definitions that one read holds, besides those of the cache.
const MOST_CHARS = 1_000_000

type Read = (row: ExportedCells) => unknown

const SCORE = ['metric', 'score', 'band']
// As the API shows them.
const READS = new Map(ABOUT.map(([name, column]) => [name, readAt(name, column)]))
// Agents have it.
const TEAM = columnsOf({ team: 'text' })
const ID = placeOf('id')
const SURVEY_ID = placeOf('survey_id')
const VERSION = placeOf('survey_version')
const questionsAt = textAt('questions')
const valuesAt = jsonAt('values', [])
const textsAt = jsonAt('text', [])
const customData = onceFor(jsonAt('custom_data', {}))
const CELL = columnsOf({ question_id: 'text', question: 'text', item: 'text', value: 'text', text: 'text' })

/** The list of responses, with what other features know of them. */
export function listedResponses(facts: ResponseFacts[]): Listed {
  const suggests = ['state', 'channel', 'language', 'tag', 'agent_id', 'team']
  return {
    members: Object.keys(SurveyResponse.shape),
    moment: 'recorded_at',
    suggests: [...suggests, ...facts.flatMap((each) => each.suggests)],
    only: [{ field: 'state', op: 'ne', value: 'deleted' }],
    exported: exportedWith(facts),
  }
}

/** The columns that surveys add. @throws Problem 404. */
function columnsOfSurveys(scope: Scope, spec: ExportSpec): Promise<ExportColumn[]> {
  return gatherDefinitions(scope, async () => {
    const { see, columns } = gatherColumns(spec)
    await seeDefinitions(scope, spec.surveyId, see)
    return columns()
  })
}

/** Gathers the columns that surveys add. See the newest definition first: its order of questions comes first. */
export function gatherColumns(spec: Pick<ExportSpec, 'answers' | 'labels' | 'language'>) {
  const custom = new Set<string>()
  const questions = new Map<string, ExportColumn>()
  return {
    async see(definition: SurveyDefinition): Promise<void> {
      for (const name of definition.custom_fields) custom.add(name)
      // No file has more.
      if (spec.answers === 'long' || questions.size > MOST_COLUMNS) return
      const slices = startSlices()
      for (const columns of columnsOfQuestions(definition, spec)) {
        for (const column of columns) if (!questions.has(column.field)) questions.set(column.field, column)
        if (slices.isOver()) await slices.next()
      }
    },
    columns(): ExportColumn[] {
      const named = [...custom].map((name): ExportColumn => ({ field: `custom.${name}`, type: 'text' }))
      return [...named, ...(spec.answers === 'long' ? CELL : questions.values())]
    },
  }
}

/** A query of the keys of responses that match. */
export async function selectResponses(_scope: Scope, tx: ReadTx, { filter, snapshotAt }: ExportSpec) {
  const chosen = filter ?? { all: [] }
  return selectKeys(tx, await compileFilter('responses', chosen, { tx, alias: 'r', now: snapshotAt }), {
    namesState: testsOf(chosen).some(({ field }) => field === 'state'),
  })
}

/** Responses as exports read them. Nobody reads those of an anonymous survey. */
function exportedWith(facts: ResponseFacts[]): ExportSource {
  const about = [...responses.exported, ...TEAM, ...facts.flatMap(({ columns }) => columns)]
  return {
    columns: async (scope, spec, ofSurveys) => [...about, ...(ofSurveys ?? (await columnsOfSurveys(scope, spec)))],
    select: selectResponses,
    async read(scope, tx, keys, spec, fields) {
      const rows = await listExported(
        tx,
        keys.map(({ id }) => id),
        {
          snapshotAt: spec.snapshotAt,
          wantsDeleted: testsOf(spec.filter ?? { all: [] }).some(({ field }) => field === 'state'),
        },
      )
      const factsOf = await readFacts(tx, rows, fields, facts)
      const readers: Readers = new Map()
      const places = await placesIn(fields)
      let done = rows
      let chars = 0
      for (const [at, row] of rows.entries()) {
        const version = versionOf(row)
        if (readers.has(version)) continue
        // The lines are made later, so every definition of these rows waits for that.
        if (chars >= MOST_CHARS) {
          done = rows.slice(0, at)
          break
        }
        const surveyId = row[SURVEY_ID] as Id<'survey'>
        const read = await readSized(scope, tx, surveyId, Number(row[VERSION]))
        if (read.isNew) chars += read.chars
        readers.set(version, await readerOf(surveyId, read.definition, { spec, fields, places, factsOf }))
      }
      const last = done.at(-1)
      return { rows: eachOf(done, readers), done: doneUpTo(keys, last && { id: last[ID] as string, member: null }) }
    },
  }
}

type Readers = Map<string, (row: ExportedCells) => Iterable<ExportLine>>

function* eachOf(rows: ExportedCells[], readers: Readers): Generator<Iterable<ExportLine>> {
  for (const row of rows) yield readers.get(versionOf(row))?.(row) ?? []
}

function versionOf(row: ExportedCells): string {
  return `${row[SURVEY_ID]} ${row[VERSION]}`
}

/** Works out where each value of a row stands. */
async function readerOf(
  surveyId: Id<'survey'>,
  definition: SurveyDefinition,
  { spec, fields, places, factsOf }: { spec: ExportSpec; fields: string[]; places: Places; factsOf: FactsOf },
): Promise<(row: ExportedCells) => Iterable<ExportLine>> {
  const survey = formatId('survey', surveyId)
  const reads = await mapInSlices(fields, (field) =>
    field === 'survey_id' ? () => survey : (factsOf(field) ?? readOf(field)),
  )
  const aboutOf = (row: ExportedCells): ExportLine => reads.map((read) => (read ? read(row) : null))
  const known = new Map<string, string[]>()
  const questionsOf = (row: ExportedCells): string[] => {
    const text = questionsAt(row) ?? '[]'
    const questions = known.get(text) ?? (JSON.parse(text) as string[])
    known.set(text, questions)
    return questions
  }
  const saidOf = (row: ExportedCells): Said => ({
    questions: questionsOf(row),
    values: valuesAt(row) as StoredValue[],
    text: textsAt(row) as StoredText[],
  })
  if (spec.answers === 'wide') {
    const fill = await wideCells(definition, spec, places)
    return (row) => {
      const line = aboutOf(row)
      fill(saidOf(row), line)
      return [line]
    }
  }
  const cells = longLines(definition, spec)
  return function* linesOfCells(row) {
    const about = aboutOf(row)
    for (const cell of cells(saidOf(row)))
      yield about.map((value, at) => cell[fields[at] as keyof typeof cell] ?? value)
  }
}

/** Null for a field of an answer. */
function readOf(field: string): Read | null {
  if (!field.startsWith('custom.')) return READS.get(field) ?? null
  const name = field.slice('custom.'.length)
  return (row) => own(customData(row) as CustomData, name)
}

function readAt(name: string, column: Column): Read {
  const read = readerOfType(name, column.is)
  return SCORE.includes(name) ? ifScored(read) : read
}

function readerOfType(name: string, { type, idKind, values }: Column['is']): Read {
  const textOf = textAt(name)
  const when = (read: (text: string) => unknown) => (row: ExportedCells) => {
    const text = textOf(row)
    return text && read(text)
  }
  if (type === 'list' || type === 'json') return jsonAt(name, [])
  if (type === 'date') return when(instantOf)
  if (type === 'whole') return when(Number)
  if (idKind) return when((id) => formatId(idKind, id as Id<IdKind>))
  return values ? textOf : jsonAt(name, null)
}

function textAt(name: string): (row: ExportedCells) => string | null {
  const at = placeOf(name)
  return (row) => row[at] || null
}

/** RFC 3339 of a time in UTC as PostgreSQL writes it: without zeros at the end, and with microseconds. */
function instantOf(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, 23).padEnd(3, '0')}Z`
}

function jsonAt(name: string, none: unknown): Read {
  const textOf = textAt(name)
  return (row) => {
    const text = textOf(row)
    return text ? (JSON.parse(text) as unknown) : none
  }
}

/** Reads a row once, however many columns ask in turn. */
function onceFor(read: Read): Read {
  let known: { row: ExportedCells; value: unknown } | null = null
  return (row) => {
    if (known?.row !== row) known = { row, value: read(row) }
    return known.value
  }
}

function ifScored(read: Read): Read {
  const needed = SCORE.map(textAt)
  return (row) => (needed.every((textOf) => textOf(row) !== null) ? read(row) : null)
}
