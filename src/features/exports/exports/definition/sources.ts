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
/** A survey may have 36,000 columns in each of its versions. */
export const MOST_OF_ALL = 20_000
/** The most columns of a file of a format. Spreadsheets have a limit of their own. */
export const MOST_COLUMNS: Record<Format, number> = {
  csv: MOST_OF_ALL,
  jsonl: MOST_OF_ALL,
  xlsx: 16_384,
  parquet: MOST_OF_ALL,
}

/** The fields that a filter on a source may test. Texts are filtered as their responses are. */
export function entityOf(source: SourceName): EntityName {
  return source === 'verbatim' ? 'responses' : source
}
