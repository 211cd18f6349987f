import { compileFilter } from '../../../platform/filter/compile.ts'
import { testsOf, type Filter } from '../../../platform/filter/grammar.ts'
import { parseId, type Id } from '../../../platform/ids.ts'
import { METRICS, type Metric } from '../../../survey-engine/model/definition.ts'
import { countGroups, type GroupKind } from '../../answers/reporting/report/groups.service.ts'
import { countSlots } from '../../answers/reporting/report/slots.service.ts'
import { listSurveyIds } from '../../surveys/surveys/published-surveys.service.ts'
import type { Cell } from './figures.ts'
import type { Frame } from './lists.service.ts'
import * as other from './other-figures.store.ts'
import type { Dimension, Query } from './query.ts'
import * as store from './response-figures.store.ts'

// With more surveys it is quicker to count their responses in one statement.
const MOST_ROLLED = 20

/** Which groups in which slots of time. */
export interface Slots extends Pick<store.Asked, 'cuts' | 'until' | 'keys'> {
  dimensions?: Dimension[]
}

/** Counts what a query asks for, from rollups, from facts, or from the rows themselves. */
export async function cellsOf(frame: Frame, query: Query, { dimensions = [], ...slots }: Slots): Promise<Cell[]> {
  const rolled = areSurveys(dimensions) && (await rolledCells(frame, query, { dimensions, ...slots }))
  if (rolled) return rolled
  const asked = { ...(await askedOf(frame, query, dimensions)), ...slots, measure: query.measure, dimensions }
  const grouped = await groupedCells(frame, query, asked)
  if (grouped) return grouped
  switch (query.source) {
    case 'responses':
      return store.countResponses(frame.tx, asked)
    case 'sends':
      return other.countSends(frame.tx, asked)
    case 'webhook_deliveries':
      return other.countDeliveries(frame.tx, asked)
    case 'alerts':
      return other.countAlerts(frame.tx, asked, query.interval !== undefined)
  }
}

/** The cells of a query that rollups answer. Null if they do not. */
async function rolledCells(
  frame: Frame,
  query: Query,
  { cuts, until, dimensions = [] }: Slots,
): Promise<Cell[] | null> {
  const { measure } = query
  const isFiltered = testsOf(frame.filter).length + (query.filter ? testsOf(query.filter).length : 0) > 0
  if (query.source !== 'responses' || isFiltered || measure === 'median_duration') return null
  const surveyIds = await fewIn(frame, query)
  if (!surveyIds) return null
  const metric = metricOf(measure)
  const { counts, crowded } = await countSlots(frame.scope, frame.tx, surveyIds, { metric, cuts, until })
  for (const id of crowded) frame.crowded.add(id)
  return counts.flatMap(({ surveyId, slot, responses, completed, scores }): Cell[] => {
    const cell = { key: dimensions.length > 0 ? surveyId : null, slot, part: null, score: null, median: null }
    if (metric) return scores.map(({ score, n }) => ({ ...cell, score, n }))
    return responses === 0 ? [] : [{ ...cell, n: responses, part: completed }]
  })
}

/** The cells of a query that facts answer, with what is left. Null if they do not. */
async function groupedCells(frame: Frame, query: Query, asked: store.Asked): Promise<Cell[] | null> {
  const { dimensions, keys, cuts, until } = asked
  const { measure } = query
  const [dimension = null, second] = dimensions
  const kind = dimension && GROUP_KINDS[dimension.kind]
  const isBySurvey = dimension?.kind === 'survey'
  if (query.source !== 'responses' || kind === undefined || second || measure === 'median_duration') return null
  const surveyIds = await fewIn(frame, query)
  if (!surveyIds) return null
  const metric = metricOf(measure)
  const filter = { all: filtersOf(frame, query) }
  const grouped = await countGroups(frame.scope, frame.tx, surveyIds, { filter, kind, keys, metric, cuts, until })
  if (!grouped) return null
  for (const id of grouped.crowded) frame.crowded.add(id)
  const cells = grouped.figures.map(({ surveyId, completed, ...figure }) => ({
    ...figure,
    key: isBySurvey ? surveyId : figure.key,
    part: metric ? null : completed,
    median: null,
  }))
  return [...cells, ...(await store.countResponses(frame.tx, asked, grouped.live))]
}

const GROUP_KINDS: Partial<Record<Dimension['kind'], GroupKind | null>> = {
  survey: null,
  channel: 'channel',
  language: 'language',
  band: 'band',
  agent: 'agent_id',
  tag: 'tag',
}

/** The rows that a query chooses, without time and measure. */
export async function askedOf(
  { scope, tx, filter, from, to }: Frame,
  query: Query,
  dimensions: Dimension[] = [],
): Promise<Omit<store.Asked, 'measure' | 'dimensions'>> {
  const [entity, alias] = ENTITIES[query.source]
  const condition = await compileFilter(
    entity,
    { all: filtersOf({ filter }, query) },
    { tx, alias, now: scope.clock.now(), ...(areSurveys(dimensions) && { reads: 'figures' }) },
  )
  return { condition, surveyIds: idsIn(query), cuts: [from], until: to }
}

/** Whether each survey counts as a whole. */
export function areSurveys(dimensions: Dimension[]): boolean {
  return dimensions.every(({ kind }) => kind === 'survey')
}

function filtersOf({ filter }: Pick<Frame, 'filter'>, query: Query): Filter[] {
  return [...(query.source === 'responses' ? [filter] : []), ...(query.filter ? [query.filter] : [])]
}

function metricOf(measure: Query['measure']): Metric | null {
  return METRICS.find((metric) => metric === measure) ?? null
}

const ENTITIES = {
  responses: ['responses', 'r'],
  sends: ['sends', 's'],
  alerts: ['alerts', 'a'],
  webhook_deliveries: ['webhook_deliveries', 'd'],
} as const

/** The surveys of a query. Null: every survey. */
export function idsIn({ surveyIds, survey_ids: ids = [] }: Query): Id<'survey'>[] | null {
  return surveyIds ?? (ids.length === 0 ? null : ids.flatMap((id) => parseId('survey', id) ?? []))
}

/** The surveys of a query whose counts are read one by one. Null if they are too many. */
async function fewIn({ tx }: Frame, query: Query): Promise<Id<'survey'>[] | null> {
  const ids = idsIn(query) ?? (await listSurveyIds(tx, MOST_ROLLED + 1))
  return ids.length > MOST_ROLLED ? null : ids
}
