import type { ExportColumn, ExportSpec } from '../../../../platform/export-source.ts'
import type { Filter } from '../../../../platform/filter/grammar.ts'
import type { Id } from '../../../../platform/ids.ts'
import { own } from '../../../../survey-engine/model/record.ts'
import type { Bucket } from '../../../../platform/ports/storage-port.ts'
import type { EntityName } from '../../../../platform/filter/entity.ts'

export const SOURCES = [
  'responses',
  'verbatim',
  'alerts',
  'leads',
  'people',
  'sends',
  'webhook_deliveries',
  'audit',
] as const
export type SourceName = (typeof SOURCES)[number]

export const FORMATS = ['csv', 'jsonl', 'xlsx', 'parquet'] as const
export type Format = (typeof FORMATS)[number]
/** The most columns that programs open in a file of a format, where there is such a limit. */
export const MOST_COLUMNS: Partial<Record<Format, number>> = { xlsx: 16_384 }

/** The fields that a filter on a source may test. Texts are filtered as their responses are. */
export function entityOf(source: SourceName): EntityName {
  return source === 'verbatim' ? 'responses' : source
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

// Filters test one member of a list, so their fields have a name in the singular.
const LISTS: Record<string, string> = { tag: 'tags', topic: 'topics', quality_flag: 'quality_flags' }

/**
 * The columns of a file: all, or those that were chosen. A question that has several columns may be named as a whole.
 * @returns also the positions of chosen fields that are none.
 */
export function chooseColumns(
  all: ExportColumn[],
  chosen: ChosenColumn[] | null,
): { columns: NamedColumn[]; unknown: number[] } {
  if (chosen === null)
    return { columns: unique(all.map((column) => ({ ...column, header: column.title ?? column.field }))), unknown: [] }
  const unknown: number[] = []
  const columns = chosen.flatMap(({ field, header }, at) => {
    const one = all.find((column) => column.field === field) ?? all.find((column) => column.field === own(LISTS, field))
    if (one) return [{ ...one, header: header ?? one.title ?? field }]
    const parts = all.filter((column) => column.field.startsWith(`${field}.`))
    if (parts.length > 0)
      return parts.map((part) => ({
        ...part,
        header: header === undefined ? (part.title ?? part.field) : `${header} ${part.field.slice(field.length + 1)}`,
      }))
    if (FAMILIES.test(field)) return [{ field, type: 'text' as const, header: header ?? field }]
    unknown.push(at)
    return []
  })
  return { columns: unique(columns), unknown }
}

/** Whether `chooseColumns` knows a field. */
export function takenBy(all: ExportColumn[]): (field: string) => boolean {
  const known = new Set(all.flatMap(({ field }) => beginningsOf(field)))
  return (field) => known.has(field) || known.has(own(LISTS, field) ?? field) || FAMILIES.test(field)
}

/** `a.b.c`, `a.b` and `a`. */
function beginningsOf(field: string): string[] {
  const parts = field.split('.')
  return parts.map((_, at) => parts.slice(0, at + 1).join('.'))
}

/** Each header once: tables of other tools need that. */
function unique(columns: NamedColumn[]): NamedColumn[] {
  const counts = new Map<string, number>()
  return columns.map((column) => {
    const n = (counts.get(column.header) ?? 0) + 1
    counts.set(column.header, n)
    return n === 1 ? column : { ...column, header: `${column.header} (${n})` }
  })
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
