import type { CellType, ExportColumn, ExportSpec } from '../../../../platform/export-source.ts'
import type { Filter } from '../../../../platform/filter/grammar.ts'
import { formatId, type Id } from '../../../../platform/ids.ts'
import { mapInSlices } from '../../../../platform/loop/turns.ts'
import type { Bucket } from '../../../../platform/ports/storage-port.ts'
import { LISTS, type ListName } from '../../../../platform/readers.ts'

export type SourceName = Exclude<ListName, 'surveys'>
export const SOURCES = LISTS.filter((name): name is SourceName => name !== 'surveys')

export const FORMATS = ['csv', 'jsonl', 'xlsx', 'parquet'] as const
export type Format = (typeof FORMATS)[number]
/** A survey may have 36,000 columns in each of its versions. */
export const MOST_OF_ALL = 20_000
/** The most columns of a file of a format. Spreadsheets have a limit of their own. */
export const MOST_COLUMNS: Record<Format, number> = {
  csv: MOST_OF_ALL,
  jsonl: MOST_OF_ALL,
  xlsx: 16_384,
  parquet: MOST_OF_ALL,
}

export interface Options {
  delimiter: ',' | ';' | '\t' | '|'
  bom: boolean
  answers: 'wide' | 'long'
  labels: 'ids' | 'text'
  language: string | null
}

export interface ChosenColumn {
  field: string
  header?: string | undefined
}

/** The definition of a template or a run, as it is stored. */
export interface DefinitionRow {
  survey_id: Id<'survey'> | null
  columns: ChosenColumn[] | null
  filter: Filter | null
  format: Format
  options: Options
  part_rows: number
}

/** A column of a file. */
export interface NamedColumn extends ExportColumn {
  header: string
}

/** The filter, with the survey as one of its tests. */
function wholeFilter(surveyId: string | null, filter: Filter | null): Filter | null {
  if (surveyId === null) return filter
  return { all: [{ field: 'survey_id', op: 'eq', value: surveyId }, ...(filter ? [filter] : [])] }
}

export function specOf(
  definition: DefinitionRow,
  { shows, snapshotAt, surveyId }: Pick<ExportSpec, 'shows' | 'snapshotAt'> & { surveyId: string | null },
): ExportSpec {
  const { survey_id, filter, options } = definition
  const { answers, labels, language } = options
  const whole = wholeFilter(surveyId, filter)
  return { surveyId: survey_id, filter: whole, answers, labels, language, shows, snapshotAt }
}

/** Fields whose names members of the workspace give. They may be named before a row has them. */
const FAMILIES = /^(?:custom|attribute)\.[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

/** Filters test one member of a list, so a list may be chosen by its name in the singular. */
function singularOf(field: string, type: CellType): string {
  return type === 'list' && !field.includes('.') ? field.replace(/s$/, '') : field
}

/**
 * The columns of a file: all, or those that were chosen. A question that has several columns may be named as a whole.
 * It ends past `MOST_OF_ALL`: so many are refused.
 * @returns also the positions of chosen fields that are none.
 */
export async function chooseColumns(
  all: ExportColumn[],
  chosen: ChosenColumn[] | null,
  format: Format,
): Promise<{ columns: NamedColumn[]; unknown: number[] }> {
  const unknown: number[] = []
  const named = chosen === null ? titled(all) : namedIn(await findNamed(all, chosen), chosen, unknown)
  const columns = await mapInSlices(unique(named, format), (column) => column)
  return { columns, unknown }
}

function* titled(all: ExportColumn[]): Generator<NamedColumn> {
  for (const column of all) yield { ...column, header: column.title ?? column.field }
}

/** Columns by their fields, and those of a question by its name. */
interface Named {
  known: Map<string, ExportColumn>
  within: Map<string, ExportColumn[]>
}

function* namedIn({ known, within }: Named, chosen: ChosenColumn[], unknown: number[]): Generator<NamedColumn> {
  for (const [at, { field, header }] of chosen.entries()) {
    const one = known.get(field)
    const parts = within.get(field)
    if (one) yield { ...one, header: header ?? one.title ?? field }
    else if (parts)
      for (const part of parts)
        yield {
          ...part,
          header: header === undefined ? (part.title ?? part.field) : `${header} ${part.field.slice(field.length + 1)}`,
        }
    else if (FAMILIES.test(field)) yield { field, type: 'text', header: header ?? field }
    else unknown.push(at)
  }
}

/** Looks once at each column, and keeps what was chosen: a survey may have 56,000 columns. */
async function findNamed(all: ExportColumn[], chosen: ChosenColumn[]): Promise<Named> {
  const names = new Set(chosen.map(({ field }) => field))
  const known = new Map<string, ExportColumn>()
  const within = new Map<string, ExportColumn[]>()
  await mapInSlices(all, (column) => {
    const { field, type } = column
    for (const name of [field, singularOf(field, type)])
      if (names.has(name) && !known.has(name)) known.set(name, column)
    for (let dot = field.indexOf('.'); dot !== -1; dot = field.indexOf('.', dot + 1)) {
      const beginning = field.slice(0, dot)
      if (!names.has(beginning)) continue
      const parts = within.get(beginning)
      if (parts) parts.push(column)
      else within.set(beginning, [column])
    }
  })
  return { known, within }
}

/** Whether `chooseColumns` knows a field. */
export function takenBy(all: ExportColumn[]): (field: string) => boolean {
  const known = new Set(all.flatMap(({ field, type }) => [...beginningsOf(field), singularOf(field, type)]))
  return (field) => known.has(field) || FAMILIES.test(field)
}

/** `a.b.c`, `a.b` and `a`. */
function beginningsOf(field: string): string[] {
  const parts = field.split('.')
  return parts.map((_, at) => parts.slice(0, at + 1).join('.'))
}

/**
 * Each header once: tables of other tools need that. Readers of Parquet take `a` for `A`, and read one of them twice.
 * Past `MOST_OF_ALL` columns it ends.
 */
function* unique(columns: Iterable<NamedColumn>, format: Format): Generator<NamedColumn> {
  const nameOf = (header: string) => (format === 'parquet' ? header.toLowerCase() : header)
  const counts = new Map<string, number>()
  const taken = new Set<string>()
  let left = MOST_OF_ALL + 1
  for (const column of columns) {
    let header = column.header
    let n = counts.get(nameOf(header)) ?? 1
    while (taken.has(nameOf(header))) header = `${column.header} (${(n += 1)})`
    counts.set(nameOf(column.header), n)
    taken.add(nameOf(header))
    yield { ...column, header }
    if (--left === 0) return
  }
}

/** The words for what separates the cells of a CSV. Rows of the database keep the sign. */
export const SIGNS = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const

export const DELIMITERS = ['comma', 'semicolon', 'tab', 'pipe'] as const

export const WORDS = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe' } as const

/** Where a run goes, as it is sealed. */
export type StoredDestination =
  | { type: 'download' }
  | { type: 'email'; recipients: Id<'user'>[] }
  | ({ type: 's3' } & Bucket)
export type DestinationType = StoredDestination['type']

const LABELS: Record<DestinationType, string> = { download: 'Download', email: 'Email', s3: 'S3 bucket' }

/** All that is ever shown of a destination. The name of a bucket shows those who manage exports where rows go. */
export function presentDestination(stored: StoredDestination) {
  const shown = { type: stored.type, label: LABELS[stored.type], configured: true as const }
  if (stored.type !== 's3') return shown
  return {
    ...shown,
    endpoint: stored.endpoint === undefined ? null : new URL(stored.endpoint).origin,
    bucket: stored.bucket,
  }
}

/** The parts of a definition that an answer shows as they are stored. */
export function presentDefinition({ survey_id, columns, format, options, part_rows }: DefinitionRow) {
  const shown = { ...options, delimiter: WORDS[options.delimiter] }
  return { survey_id: survey_id && formatId('survey', survey_id), columns, format, options: shown, part_rows }
}
