import { groupNamed, groupNames, widgetKinds, type Group } from '../../../platform/fields/parts.ts'
import type { Filter } from '../../../platform/filter/grammar.ts'
import type { Id } from '../../../platform/ids.ts'
import { DateTime } from 'luxon'
import { METRICS } from '../../../survey-engine/model/definition.ts'

export const SOURCES = ['responses', 'sends', 'alerts', 'webhook_deliveries'] as const
export type Source = (typeof SOURCES)[number]

export const MEASURES = [
  'count',
  ...METRICS,
  'score',
  'completion_rate',
  'response_rate',
  'median_duration',
  'open_alerts',
  'time_to_resolve',
  'delivered_share',
] as const
export type Measure = (typeof MEASURES)[number]

export const INTERVALS = ['day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

/** The measures of each source (docs/dashboards.md, "Queries"). */
export const MEASURES_OF: Record<Source, readonly Measure[]> = {
  responses: ['count', ...METRICS, 'score', 'completion_rate', 'median_duration'],
  sends: ['count', 'response_rate', 'delivered_share'],
  alerts: ['count', 'open_alerts', 'time_to_resolve'],
  webhook_deliveries: ['count', 'delivered_share'],
}

/** The groups of each source. Responses also have `custom.<name>`, `answer.<id>`, and those that features add. */
const GROUPS_OF = {
  responses: ['survey', 'channel', 'language', 'band', 'agent', 'team', 'tag'],
  sends: ['survey', 'status', 'channel', 'language', 'agent', 'team'],
  alerts: ['survey', 'status', 'priority', 'owner', 'rule'],
  webhook_deliveries: ['survey', 'status', 'webhook', 'event'],
} as const satisfies Record<Source, readonly string[]>
type Column = (typeof GROUPS_OF)[Source][number]
const COLUMNS: readonly Column[] = [...new Set(Object.values(GROUPS_OF).flat())]
const FAMILY = /^(custom|answer)[.]([A-Za-z0-9][A-Za-z0-9_-]{0,63})$/

/** The property that a query groups by. */
export type Dimension =
  | { kind: Column }
  | { kind: 'custom'; name: string }
  | { kind: 'answer'; question: string }
  | { kind: 'added'; name: string; group: Group }

export function dimensionOf(by: string): Dimension | null {
  const column = COLUMNS.find((name) => name === by)
  if (column) return { kind: column }
  const group = groupNamed(by)
  if (group) return { kind: 'added', name: by, group }
  const [, family, name = ''] = FAMILY.exec(by) ?? []
  if (family === 'custom') return { kind: 'custom', name }
  return family === 'answer' ? { kind: 'answer', question: name } : null
}

/** The name of a dimension in `by`. */
export function nameOf(dimension: Dimension): string {
  if (dimension.kind === 'custom') return `custom.${dimension.name}`
  if (dimension.kind === 'added') return dimension.name
  return dimension.kind === 'answer' ? `answer.${dimension.question}` : dimension.kind
}

/** @param by names that the schema has checked. */
export function dimensionsOf(by: string[] = []): Dimension[] {
  return by.flatMap((name) => dimensionOf(name) ?? [])
}

/** Whether the rows of a source can be grouped so. */
export function canGroup(source: Source, { kind }: Dimension): boolean {
  if (kind === 'custom' || kind === 'answer' || kind === 'added') return source === 'responses'
  return (GROUPS_OF[source] as readonly string[]).includes(kind)
}

/** How the rows of a source can be grouped, for a message. */
export function groupsOf(source: Source): string {
  const more = source === 'responses' ? [...groupNames(), 'custom.<name>', 'answer.<id>'] : []
  const names: string[] = [...GROUPS_OF[source], ...more]
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

/** One question to the data: the contents of a widget. */
export interface Query {
  source: Source
  survey_ids?: string[] | undefined
  /** Some of `survey_ids`, or of every survey. They are read in their place. */
  surveyIds?: Id<'survey'>[] | undefined
  measure: Measure
  by?: string[] | undefined
  interval?: Interval | undefined
  /** The period before, the same one a year ago, or other rows in the place of those of `filter`. */
  compare?: 'previous' | 'year' | Filter | undefined
  period?: Period | undefined
  filter?: Filter | undefined
  limit?: number | undefined
}

/** The filters that a query names. */
export function filtersOf({ filter, compare }: Query): Filter[] {
  return [filter, typeof compare === 'object' ? compare : undefined].filter((each) => each !== undefined)
}

/** A query as a store reads it. */
export interface Asked<Condition> {
  measure: Measure
  /** Null: every survey. */
  surveyIds: Id<'survey'>[] | null
  /** The filter, compiled on the alias of the source. */
  condition: Condition
  /** None, one, or two that are shown in pairs. */
  dimensions: Dimension[]
  /** The groups that are wanted. Absent: the largest. */
  keys?: string[] | undefined
  /** Slot 1 begins at the first cut, slot 2 at the second, and so on. */
  cuts: Date[]
  until: Date
}

/** The kinds of widgets. Features add those that list rows. */
export function kinds(): string[] {
  return ['number', 'gauge', 'line', 'bar', 'pie', 'table', ...widgetKinds(), 'leaderboard', 'funnel']
}

/** The kind of a stored widget as readers see it, if no feature has its kind or its groups any more. */
export const UNAVAILABLE = 'unavailable'

/** Whether the server has everything that a stored widget shows. */
export function isAvailable({ kind, query }: Pick<Widget, 'kind' | 'query'>): boolean {
  const isKnown = (by: string) => {
    const dimension = dimensionOf(by)
    return dimension !== null && canGroup(query.source, dimension)
  }
  return kinds().includes(kind) && (query.by ?? []).every(isKnown)
}

export interface Widget {
  id: string
  kind: string
  title: string
  query: Query
  layout: { x: number; y: number; w: number; h: number }
}

export type Period = { days: number } | { from: string; to: string }

/** The fewest answers behind a score or a rate that is shown. */
export const MIN_N = 5

/** The rows of a query without a limit. */
export const ROWS = 20

/** The ends of a period: its first and its last day, or what its author wrote. */
export function endsOf(period: Period, timezone: string, now: Date): { from: string; to: string } {
  if ('from' in period) return period
  const today = DateTime.fromJSDate(now, { zone: timezone })
  return { from: dayOf(today.minus({ days: period.days - 1 })), to: dayOf(today) }
}

export function yearBefore(at: Date, timezone: string): Date {
  return DateTime.fromJSDate(at, { zone: timezone }).minus({ years: 1 }).toJSDate()
}

function dayOf(at: DateTime): string {
  return at.toFormat('yyyy-MM-dd')
}
