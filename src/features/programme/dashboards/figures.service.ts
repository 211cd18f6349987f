import type { z } from 'zod'
import { testsOf, type Filter } from '../../../platform/filter/grammar.ts'
import { formatId } from '../../../platform/ids.ts'
import { runInSlices } from '../../../platform/loop/turns.ts'
import { changeBetween } from '../../../survey-engine/metrics/metrics.ts'
import { METRICS, type Metric } from '../../../survey-engine/model/definition.ts'
import { readPeriod } from '../../answers/reporting/report/periods.service.ts'
import { surveyTraits } from '../../surveys/surveys/published-surveys.service.ts'
import { areSurveys, cellsOf, idsIn } from './cells.service.ts'
import { figureFrom, rowsFrom, unitOf, type Cell, type Figure } from './figures.ts'
import type { FigureData } from './figures.schema.ts'
import { labelsOf, leaderboardOf } from './labels.service.ts'
import type { Frame } from './lists.service.ts'
import { dimensionsOf, endsOf, MIN_N, ROWS, yearBefore, type Dimension, type Query } from './query.ts'

/** More than a widget shows, because agents and topics that are gone are left out. */
const MOST_LABELLED = 1_000

export type FigureOf = z.input<typeof FigureData>

/** The part of a query about surveys of one metric, or the whole query. */
interface Part {
  query: Query
  metric?: Metric
}

/** The other figure of a comparison, and the member that shows it. */
interface Other {
  member: 'previous' | 'compared'
  span: Span
  filter: Filter | undefined
}

interface Span {
  from: Date
  to: Date
}

/** Answers a query: with a value, a series, or rows. */
export async function figureOf(common: Frame, asked: Query, { isRanked = false } = {}): Promise<FigureOf> {
  const frame = await frameOf(common, asked)
  const dimensions = dimensionsOf(isRanked ? ['agent'] : asked.by)
  const { query, leftOut } = await withoutAnonymous(frame, asked, dimensions)
  const parts = query ? await partsOf(frame, query) : []
  const other = otherOf(frame, asked)
  const shown =
    dimensions.length > 0
      ? await groupsOf(frame, parts, other, { dimensions, limit: asked.limit ?? ROWS, isRanked })
      : await totalOf(frame, asked, parts[0] ?? null, other)
  return { ...shown, unit: unitOf(asked.measure), ...(leftOut.length > 0 && { left_out: leftOut }) }
}

/** The frame with the period of the query itself. */
async function frameOf(frame: Frame, { period }: Query): Promise<Frame> {
  if (!period) return frame
  const { scope, tx, timezone } = frame
  const ends = endsOf(period, timezone, scope.clock.now())
  return { ...frame, ...(await readPeriod(scope, tx, { ...ends, interval: 'month', timezone })) }
}

/** Anonymous surveys count only whole. Null if the query is about them alone. */
async function withoutAnonymous(
  frame: Frame,
  query: Query,
  dimensions: Dimension[],
): Promise<{ query: Query | null; leftOut: string[] }> {
  const whole = { query, leftOut: [] }
  if (query.source !== 'responses' && query.source !== 'sends') return whole
  const filters = [
    query.source === 'responses' ? frame.filter : undefined,
    query.filter,
    typeof query.compare === 'object' ? query.compare : undefined,
  ]
  const isFiltered = filters.some((filter) => filter && testsOf(filter).length > 0)
  if (!isFiltered && areSurveys(dimensions)) return whole
  const traits = await traitsIn(frame)
  const asked = idsIn(query) ?? [...traits.keys()]
  const [leftOut, left] = partition(asked, (id) => traits.get(id)?.is_anonymous === true)
  if (leftOut.length === 0) return whole
  return {
    query: left.length === 0 ? null : { ...query, surveyIds: left },
    leftOut: leftOut.map((id) => formatId('survey', id)),
  }
}

function partition<Item>(items: Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}

/** The measure `score` is the metric of each survey. */
async function partsOf(frame: Frame, query: Query): Promise<Part[]> {
  if (query.measure !== 'score') return [{ query }]
  const traits = await traitsIn(frame)
  const asked = idsIn(query)
  const chosen = asked && new Set(asked)
  const surveys = [...traits.values()].filter(({ id }) => !chosen || chosen.has(id))
  return METRICS.flatMap((metric) => {
    const ids = surveys.filter((survey) => survey.metric === metric).map(({ id }) => id)
    // Thousands of ids cost more than the count of their responses.
    const isEvery = !asked && ids.length === surveys.length
    return ids.length === 0
      ? []
      : [{ query: { ...query, measure: metric, ...(!isEvery && { surveyIds: ids }) }, metric }]
  })
}

function traitsIn(frame: Frame): ReturnType<typeof surveyTraits> {
  frame.known.traits ??= surveyTraits(frame.tx)
  return frame.known.traits
}

function otherOf({ from, to, previousFrom, timezone }: Frame, { compare, filter }: Query): Other | null {
  if (compare === undefined) return null
  if (typeof compare === 'object') return { member: 'compared', span: { from, to }, filter: compare }
  if (compare === 'previous') return { member: 'previous', span: { from: previousFrom, to: from }, filter }
  return { member: 'compared', span: { from: yearBefore(from, timezone), to: yearBefore(to, timezone) }, filter }
}

async function groupsOf(
  frame: Frame,
  parts: Part[],
  other: Other | null,
  { dimensions, limit, isRanked }: { dimensions: Dimension[]; limit: number; isRanked: boolean },
): Promise<Omit<FigureOf, 'unit'>> {
  const found: Array<Figure & { key: string }> = []
  let all = { enough: false, n: 0 }
  for (const { query, metric } of parts) {
    const cells = await cellsOf(frame, query, { dimensions, cuts: [frame.from], until: frame.to })
    const { enough, n } = figureFrom(query.measure, cells)
    all = { enough: all.enough || enough, n: all.n + n }
    for (const row of await rowsFrom(query.measure, cells))
      if (!frame.isPublic || row.n >= MIN_N) found.push({ ...row, ...(metric && { metric }) })
  }
  if (parts.length > 1) found.sort((a, b) => b.n - a.n || (a.key < b.key ? -1 : 1))
  const labelled = await labelsOf(frame.tx, dimensions, isRanked ? found : found.slice(0, MOST_LABELLED))
  const shown = (isRanked ? leaderboardOf(labelled) : labelled).slice(0, limit)
  const rows = []
  for (const { query, metric } of parts) {
    const own = shown.filter((row) => row.metric === metric)
    const keys = own.map(({ cellKey }) => cellKey)
    if (keys.length === 0) continue
    const series = query.interval && (await seriesOf(frame, query, frame, { dimensions, keys }))
    const earlier = other && (await cellsOf(frame, ...cellsBefore(query, other, { dimensions, keys })))
    const earlierOf = earlier && Map.groupBy(earlier, ({ key }) => key)
    for (const { cellKey, ...row } of own) {
      const before = earlierOf && figureFrom(query.measure, earlierOf.get(cellKey) ?? [])
      rows.push({
        ...row,
        ...(series && { series: series.of.get(cellKey) ?? [] }),
        ...(other && before && { [other.member]: before, change: changeBetween(row, before) }),
      })
    }
  }
  const place = new Map(shown.map(({ key }, index) => [key, index]))
  if (parts.length > 1) rows.sort((a, b) => (place.get(a.key) ?? 0) - (place.get(b.key) ?? 0))
  return { ...all, rows }
}

function cellsBefore(
  query: Query,
  { span, filter }: Other,
  groups: { dimensions: Dimension[]; keys?: string[] },
): [Query, { dimensions: Dimension[]; keys?: string[]; cuts: Date[]; until: Date }] {
  return [
    { ...query, filter },
    { ...groups, cuts: [span.from], until: span.to },
  ]
}

/** The figure of the period with the other one, or the intervals of both. A part is null where no rows count. */
async function totalOf(
  frame: Frame,
  { interval, measure }: Query,
  part: Part | null,
  other: Other | null,
): Promise<Omit<FigureOf, 'unit'>> {
  const metric = measure === 'score' ? { metric: part?.metric ?? null } : {}
  if (interval) {
    const of = async (query: Query | undefined, span: Span) => {
      if (!query) return { enough: false, n: 0, series: [] }
      const { cells, of: series } = await seriesOf(frame, query, span, {})
      const { enough, n } = figureFrom(query.measure, cells)
      return { enough, n, series: series.get(null) ?? [] }
    }
    const shown = await of(part?.query, frame)
    if (!other) return { ...shown, ...metric }
    const before = await of(part ? { ...part.query, filter: other.filter } : undefined, other.span)
    return { ...shown, ...metric, [other.member]: { value: null, ...before } }
  }
  const of = async (query: Query, { from, to }: Span) =>
    figureFrom(query.measure, await cellsOf(frame, query, { cuts: [from], until: to }))
  const none = figureFrom(part?.query.measure ?? measure, [])
  const shown = part ? await of(part.query, frame) : none
  if (!other) return { ...shown, ...metric }
  const before = part ? await of({ ...part.query, filter: other.filter }, other.span) : none
  return { ...shown, ...metric, [other.member]: before, change: changeBetween(shown, before) }
}

type Series = NonNullable<FigureOf['series']>

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
