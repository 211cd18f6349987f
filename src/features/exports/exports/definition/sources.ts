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
