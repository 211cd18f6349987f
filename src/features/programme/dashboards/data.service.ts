import type { z } from 'zod'
import { compileFilter } from '../../../platform/filter/compile.ts'
import { testsOf, type Filter } from '../../../platform/filter/grammar.ts'
import { parseId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { readPeriod } from '../../answers/reporting/periods.service.ts'
import { countGroups, type GroupKind } from '../../answers/reporting/groups.service.ts'
import { countSlots, rollUp } from '../../answers/reporting/slots.service.ts'
import type { Metric } from '../../../survey-engine/model/definition.ts'
import { releaseEveryAnonymous } from '../../answers/responses/held.service.ts'
import { listSurveyIds } from '../../surveys/surveys/survey-names.service.ts'
import type { DashboardData } from './dashboards.schema.ts'
import { figureFrom, rowsFrom, unitOf, type Cell } from './figures.ts'
import { labelsOf, leaderboardOf, publicKey } from './labels.service.ts'
import * as other from './other-figures.store.ts'
import { endsOf } from './periods.ts'
import { dimensionOf, MIN_N, type Dimension, type Period, type Query, type Widget } from './query.ts'
import * as store from './response-figures.store.ts'
import { funnelOf, textsOf, type Frame } from './lists.service.ts'

export type Data = z.input<typeof DashboardData>
type WidgetData = Data['widgets'][string]

const ROWS = 20
// With more surveys it is quicker to count their responses in one statement.
const MOST_ROLLED = 20

export interface Content {
  period: Period
  timezone: string
  filter: Filter
  widgets: Widget[]
}

/** The data of all widgets as of one moment. @throws Problem 400 for a period that ends before it begins. */
export async function readData(
  scope: Scope,
  { period, timezone, filter, widgets }: Content,
  { isPublic = false }: { isPublic?: boolean } = {},
): Promise<Data> {
  await releaseEveryAnonymous(scope)
  const crowded = new Set<Id<'survey'>>()
  const now = scope.clock.now()
  const data = await scope.read(
    async (tx) => {
      const ends = endsOf(period, timezone, now)
      const { from, to, previousFrom } = await readPeriod(scope, tx, { ...ends, interval: 'month', timezone })
      const frame = { scope, tx, filter, timezone, from, to, previousFrom, isPublic, crowded }
      const shown: Record<string, WidgetData> = {}
      for (const widget of widgets) shown[widget.id] = await widgetData(frame, widget)
      return {
        period: { from: from.toISOString(), to: to.toISOString(), timezone },
        snapshot_at: now.toISOString(),
        widgets: shown,
      }
    },
    { snapshot: true },
  )
  await rollUp(scope, [...crowded])
  return data
}

async function widgetData(frame: Frame, { kind, query }: Widget): Promise<WidgetData> {
  const unit = unitOf(query.measure)
  const limit = query.limit ?? ROWS
  if (kind === 'verbatim') {
    const rows = await textsOf(frame, query, limit)
    return { enough: true, n: rows.length, unit, rows }
  }
  if (kind === 'funnel') return { ...(await funnelOf(frame, await askedOf(frame, query), query.source)), unit: 'count' }
  const by = kind === 'leaderboard' ? 'agent' : query.by?.[0]
  const dimension = by === undefined ? null : dimensionOf(by)
  const now = await figuresOf(frame, query, dimension, { from: frame.from, to: frame.to })
  const before =
    query.compare && (await figuresOf(frame, query, dimension, { from: frame.previousFrom, to: frame.from }))
  const total = figureFrom(query.measure, now.cells)
  if (dimension) {
    const all = rowsFrom(query.measure, now.cells, Infinity).filter(({ n }) => !frame.isPublic || n >= MIN_N)
    const labelled = await labelsOf(frame.tx, dimension, all)
    const shown = kind === 'leaderboard' ? leaderboardOf(labelled) : labelled
    const rows = shown.slice(0, limit).map((row) => ({
      ...row,
      key: publicKey(dimension, row.key),
      ...(now.series && { series: now.series(row.key) }),
      ...(before && { previous: figureFrom(query.measure, ofKey(before.cells, row.key)) }),
    }))
    return { enough: total.enough, n: total.n, unit, rows }
  }
  const { enough, n } = total
  const shown = now.series ? { enough, n, series: now.series(null) } : total
  if (!before) return { ...shown, unit }
  const previous = figureFrom(query.measure, before.cells)
  return {
    ...shown,
    unit,
    previous: before.series
      ? { enough: previous.enough, n: previous.n, value: null, series: before.series(null) }
      : previous,
  }
}

interface Figures {
  cells: Cell[]
  series?: (key: string | null) => NonNullable<WidgetData['series']>
}

/** The cells of a span of time, and a way to its intervals. */
async function figuresOf(
  frame: Frame,
  query: Query,
  dimension: Dimension | null,
  { from, to }: { from: Date; to: Date },
): Promise<Figures> {
  if (!query.interval) return { cells: await cellsOf(frame, query, dimension, { cuts: [from], to }) }
  const { buckets } = await readPeriod(frame.scope, frame.tx, {
    from: from.toISOString(),
    to: to.toISOString(),
    interval: query.interval,
    timezone: frame.timezone,
  })
  const cuts = [from, ...buckets.slice(1).map((bucket) => bucket.from)]
  const cells = await cellsOf(frame, query, dimension, { cuts, to })
  return {
    cells,
    series: (key) =>
      buckets.map((bucket, index) => ({
        date: bucket.date,
        from: bucket.from.toISOString(),
        ...figureFrom(
          query.measure,
          cells.filter((cell) => cell.slot === index + 1 && (key === null || cell.key === key)),
        ),
      })),
  }
}

async function cellsOf(
  frame: Frame,
  query: Query,
  dimension: Dimension | null,
  { cuts, to }: { cuts: Date[]; to: Date },
): Promise<Cell[]> {
  const rolled = await rolledCells(frame, query, dimension, { cuts, to })
  if (rolled) return rolled
  const asked = { ...(await askedOf(frame, query, dimension)), measure: query.measure, dimension, cuts, until: to }
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
  dimension: Dimension | null,
  { cuts, to }: { cuts: Date[]; to: Date },
): Promise<Cell[] | null> {
  const { measure } = query
  const isFiltered = testsOf(frame.filter).length + (query.filter ? testsOf(query.filter).length : 0) > 0
  if (query.source !== 'responses' || dimension || isFiltered || measure === 'median_duration') return null
  const surveyIds = idsIn(query) ?? (await listSurveyIds(frame.tx))
  if (surveyIds.length > MOST_ROLLED) return null
  const metric = metricOf(measure)
  const { counts, crowded } = await countSlots(frame.scope, frame.tx, surveyIds, { metric, cuts, until: to })
  for (const id of crowded) frame.crowded.add(id)
  const cell = { key: null, part: null, score: null, median: null }
  if (metric) return counts.flatMap(({ slot, scores }) => scores.map(({ score, n }) => ({ ...cell, slot, score, n })))
  return counts.map(({ slot, responses, completed }) => ({ ...cell, slot, n: responses, part: completed }))
}

/** The cells of a query that facts answer, with what is left. Null if they do not. */
async function groupedCells(frame: Frame, query: Query, asked: store.Asked): Promise<Cell[] | null> {
  const { dimension, cuts, until } = asked
  const { measure } = query
  const kind = dimension && GROUP_KINDS[dimension.kind]
  if (query.source !== 'responses' || kind === undefined || measure === 'median_duration') return null
  const surveyIds = idsIn(query) ?? (await listSurveyIds(frame.tx))
  if (surveyIds.length > MOST_ROLLED) return null
  const metric = metricOf(measure)
  const filter = { all: filtersOf(frame, query) }
  const grouped = await countGroups(frame.scope, frame.tx, surveyIds, { filter, kind, metric, cuts, until })
  if (!grouped) return null
  for (const id of grouped.crowded) frame.crowded.add(id)
  const cells = grouped.figures.map(({ completed, ...figure }) => ({
    ...figure,
    part: metric ? null : completed,
    median: null,
  }))
  return [...cells, ...(await store.countResponses(frame.tx, asked, grouped.live))]
}

const GROUP_KINDS: Partial<Record<Dimension['kind'], GroupKind>> = {
  channel: 'channel',
  language: 'language',
  band: 'band',
  agent: 'agent_id',
  tag: 'tag',
}

/** What a query chooses, without time and measure. */
async function askedOf(
  { scope, tx, filter, from, to }: Frame,
  query: Query,
  dimension: Dimension | null = null,
): Promise<Omit<store.Asked, 'measure' | 'dimension'>> {
  const [entity, alias] = ENTITIES[query.source]
  const condition = await compileFilter(
    entity,
    { all: filtersOf({ filter }, query) },
    { tx, alias, now: scope.clock.now(), ...(!dimension && { reads: 'figures' }) },
  )
  return { condition, surveyIds: idsIn(query), cuts: [from], until: to }
}

function filtersOf({ filter }: Pick<Frame, 'filter'>, query: Query): Filter[] {
  return [...(query.source === 'responses' ? [filter] : []), ...(query.filter ? [query.filter] : [])]
}

function metricOf(measure: Query['measure']): Metric | null {
  return measure === 'nps' || measure === 'csat' || measure === 'ces' ? measure : null
}

const ENTITIES = {
  responses: ['responses', 'r'],
  sends: ['sends', 's'],
  alerts: ['alerts', 'a'],
  webhook_deliveries: ['webhook_deliveries', 'd'],
} as const

function idsIn({ survey_ids: ids = [] }: Query): Id<'survey'>[] | null {
  return ids.length === 0 ? null : ids.flatMap((id) => parseId('survey', id) ?? [])
}

function ofKey(cells: Cell[], key: string): Cell[] {
  return cells.filter((cell) => cell.key === key)
}
