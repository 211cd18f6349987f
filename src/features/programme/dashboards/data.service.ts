import type { z } from 'zod'
import type { Filter } from '../../../platform/filter/grammar.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { runInSlices } from '../../../platform/loop/turns.ts'
import { readPeriod } from '../../answers/reporting/report/periods.service.ts'
import { rollUp } from '../../answers/reporting/report/slots.service.ts'
import { releaseEveryAnonymous } from '../../answers/responses/threshold/threshold.service.ts'
import { askedOf, cellsOf } from './cells.service.ts'
import type { WidgetsData } from './dashboards.schema.ts'
import { figureFrom, rowsFrom, unitOf, type Cell } from './figures.ts'
import { labelsOf, leaderboardOf } from './labels.service.ts'
import { endsOf, dimensionsOf, MIN_N, type Dimension, type Period, type Query, type Widget } from './query.ts'
import { funnelOf, textsOf, type Frame } from './lists.service.ts'

export type Data = z.input<typeof WidgetsData>
type WidgetData = Data['widgets'][string]

/** More than a widget shows, because agents and topics that are gone are left out. */
const MOST_LABELLED = 1_000
/** The rows of a widget without a limit. */
export const ROWS = 20

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
  const now = { from: frame.from, to: frame.to }
  const before = { from: frame.previousFrom, to: frame.from }
  const dimensions = dimensionsOf(kind === 'leaderboard' ? ['agent'] : query.by)
  if (dimensions.length > 0) {
    const cells = await cellsOf(frame, query, { dimensions, cuts: [now.from], until: now.to })
    const { enough, n } = figureFrom(query.measure, cells)
    const all = (await rowsFrom(query.measure, cells)).filter((row) => !frame.isPublic || row.n >= MIN_N)
    const labelled = await labelsOf(frame.tx, dimensions, kind === 'leaderboard' ? all : all.slice(0, MOST_LABELLED))
    const shown = (kind === 'leaderboard' ? leaderboardOf(labelled) : labelled).slice(0, limit)
    const keys = shown.map(({ cellKey }) => cellKey)
    const series = query.interval && (await seriesOf(frame, query, now, { dimensions, keys }))
    const earlier =
      query.compare && (await cellsOf(frame, query, { dimensions, keys, cuts: [before.from], until: before.to }))
    const earlierOf = earlier && Map.groupBy(earlier, ({ key }) => key)
    const rows = shown.map(({ cellKey, ...row }) => ({
      ...row,
      ...(series && { series: series.of.get(cellKey) ?? [] }),
      ...(earlierOf && { previous: figureFrom(query.measure, earlierOf.get(cellKey) ?? []) }),
    }))
    return { enough, n, unit, rows }
  }
  const shown = await totalOf(frame, query, now)
  return {
    ...shown,
    unit,
    ...(query.compare && { previous: { value: null, ...(await totalOf(frame, query, before)) } }),
  }
}

/** The figure of a span of time, or its intervals. */
async function totalOf(frame: Frame, query: Query, span: Span) {
  if (!query.interval)
    return figureFrom(query.measure, await cellsOf(frame, query, { cuts: [span.from], until: span.to }))
  const { cells, of } = await seriesOf(frame, query, span, {})
  const { enough, n } = figureFrom(query.measure, cells)
  return { enough, n, series: of.get(null) ?? [] }
}

interface Span {
  from: Date
  to: Date
}

type Series = NonNullable<WidgetData['series']>

/** The figures of each interval, of all responses together under the key null, or of each of these keys. */
async function seriesOf(
  frame: Frame,
  query: Query,
  { from, to }: Span,
  groups: { dimensions?: Dimension[]; keys?: string[] },
): Promise<{ cells: Cell[]; of: Map<string | null, Series> }> {
  const { buckets } = await readPeriod(frame.scope, frame.tx, {
    from: from.toISOString(),
    to: to.toISOString(),
    interval: query.interval ?? 'month',
    timezone: frame.timezone,
  })
  const cuts = [from, ...buckets.slice(1).map((bucket) => bucket.from)]
  const cells = await cellsOf(frame, query, { ...groups, cuts, until: to })
  const byKey = Map.groupBy(cells, ({ key }) => key)
  const of = new Map<string | null, Series>()
  await runInSlices(
    (function* draw() {
      for (const key of groups.keys ?? [null]) {
        const bySlot = Map.groupBy(byKey.get(key) ?? [], ({ slot }) => slot)
        const series: Series = []
        for (const [index, bucket] of buckets.entries()) {
          const figure = figureFrom(query.measure, bySlot.get(index + 1) ?? [])
          series.push({ date: bucket.date, from: bucket.from.toISOString(), ...figure })
          yield
        }
        of.set(key, series)
      }
    })(),
  )
  return { cells, of }
}
