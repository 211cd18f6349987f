import type { Schemas } from '../../api/client.ts'
import { METRICS } from '../../../src/survey-engine/model/definition.ts'

export type Dashboard = Schemas['Dashboard']
export type Widget = Dashboard['widgets'][number]
export type Kind = Widget['kind']
export type Query = Widget['query']
export type Source = Query['source']
export type Measure = Query['measure']
export type Figure = Schemas['Figure']

export const KINDS: Kind[] = ['number', 'gauge', 'line', 'bar', 'pie', 'table', 'verbatim', 'leaderboard', 'funnel']
export const INTERVALS = ['day', 'week', 'month'] as const

/** The measures of each source (docs/dashboards.md, "Queries"). */
const MEASURES: Record<Source, Measure[]> = {
  responses: ['count', ...METRICS, 'score', 'completion_rate', 'median_duration'],
  sends: ['count', 'response_rate', 'delivered_share'],
  alerts: ['count', 'open_alerts', 'time_to_resolve'],
  webhook_deliveries: ['count', 'delivered_share'],
}

/** The groups of each source, besides those that a survey or a workspace makes. */
export const GROUPS: Record<Source, string[]> = {
  responses: ['survey', 'channel', 'language', 'band', 'agent', 'team', 'tag', 'topic', 'sentiment'],
  sends: ['survey', 'status', 'channel', 'language', 'agent', 'team'],
  alerts: ['survey', 'status', 'priority', 'owner', 'rule'],
  webhook_deliveries: ['survey', 'status', 'webhook', 'event'],
}

const SCORES: Measure[] = [...METRICS]
const ON_A_SCALE: Measure[] = [...SCORES, 'completion_rate', 'response_rate', 'delivered_share']
const FEW_ROWS = 5

/** The sources that a kind of widget can show. */
export function sourcesOf(kind: Kind): Source[] {
  if (kind === 'verbatim' || kind === 'leaderboard') return ['responses']
  if (kind === 'funnel') return ['responses', 'sends']
  const all = Object.keys(MEASURES) as Source[]
  return kind === 'gauge' ? all.filter((source) => measuresOf(kind, source).length > 0) : all
}

export function measuresOf(kind: Kind, source: Source): Measure[] {
  if (kind === 'leaderboard') return SCORES
  if (kind === 'verbatim' || kind === 'funnel') return ['count']
  const all = MEASURES[source]
  return kind === 'gauge' ? all.filter((measure) => ON_A_SCALE.includes(measure)) : all
}

/** Whether people choose a group, an interval and another figure for a kind of widget. */
export function choicesOf(kind: Kind) {
  const isSingle = kind === 'number' || kind === 'gauge'
  return {
    group: kind === 'bar' || kind === 'pie' || kind === 'table',
    interval: kind === 'line' || kind === 'bar',
    compare: isSingle || kind === 'line' || kind === 'table',
    limit: kind === 'bar' || kind === 'pie' || kind === 'table' || kind === 'verbatim' || kind === 'leaderboard',
    measure: kind !== 'verbatim' && kind !== 'funnel',
  }
}

/** The query as a kind of widget can ask it. Parts that do not fit give way to the usual ones. */
export function fitting(kind: Kind, asked: Query): Query {
  const choices = choicesOf(kind)
  const sources = sourcesOf(kind)
  const source = sources.includes(asked.source) ? asked.source : (sources[0] ?? 'responses')
  const measures = measuresOf(kind, source)
  const measure = measures.includes(asked.measure) ? asked.measure : (measures[0] ?? 'count')
  const { survey_ids, period, filter, compare, limit } = asked
  const canGroup = (by: string) => GROUPS[source].includes(by) || (source === 'responses' && by.includes('.'))
  const wished = choices.group ? (asked.by ?? []).filter(canGroup) : []
  // Surveys have different metrics.
  const needsSurvey = measure === 'score' && survey_ids?.length !== 1 && !wished.includes('survey')
  const isOverTime =
    kind === 'line' || (kind === 'bar' && asked.interval !== undefined && !wished.length && !needsSurvey)
  const by = choices.group && !isOverTime && (needsSurvey || wished.length === 0) ? ['survey'] : wished
  return {
    source,
    measure: needsSurvey && !choices.group ? 'nps' : measure,
    ...(survey_ids && { survey_ids }),
    ...(by.length > 0 && { by }),
    ...(isOverTime && { interval: asked.interval ?? 'week' }),
    ...(choices.compare && compare !== undefined && { compare }),
    ...(period && { period }),
    ...(filter && source === asked.source && { filter }),
    ...(choices.limit && { limit: limit ?? (kind === 'verbatim' ? FEW_ROWS : 10) }),
  }
}

/** The size of a new widget, in columns and rows. */
export function sizeOf(kind: Kind): { w: number; h: number } {
  if (kind === 'number' || kind === 'gauge') return { w: 4, h: 3 }
  return kind === 'verbatim' ? { w: 6, h: 5 } : { w: 6, h: 4 }
}

/** The kind of a stored widget whose contents the server does not have any more. It can be moved, named or left out. */
export const UNAVAILABLE: Kind = 'unavailable'

/** A figure, or why there is none. */
export type Answer = Figure | { error: { code: string; permission?: string; detail?: string } } | undefined

export function figureIn(answer: Answer): Figure | null {
  return answer && !('error' in answer) ? answer : null
}
