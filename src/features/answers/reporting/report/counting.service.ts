import type { ReadTx } from '../../../../platform/database/database.ts'
import { compileFilter } from '../../../../platform/filter/compile.ts'
import type { Filter } from '../../../../platform/filter/grammar.ts'
import type { Id } from '../../../../platform/ids.ts'
import { groupInSlices } from '../../../../platform/loop/turns.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { Metric } from '../../../../survey-engine/model/definition.ts'
import * as store from '../cells/counts.store.ts'
import { coverByFacts } from '../facts/fact-cover.ts'
import { factFilter, prefixesOf } from '../facts/fact-filter.ts'
import * as factCounts from '../facts/fact-counts.store.ts'
import * as facts from '../facts/facts.store.ts'
import { scoresOf } from '../../../../survey-engine/metrics/metrics.ts'
import type { CellCount } from '../cells/report-cells.ts'
import type { TrendCount } from '../cells/report-figures.ts'
import { coverBetween, DAY_MS, floor, type Span } from '../cells/rollup-cover.ts'
import { readRolled, readStale } from '../rollups/rollups.service.ts'
import { trigramsIn } from '../facts/trigrams.ts'

/** The most responses that a report reads one by one before it requests rollups: about 50 ms. */
const MOST_LIVE = 5_000

interface Counting {
  id: Id<'survey'>
  /** Slots of the figures: the first begins at the first cut. */
  cuts: Date[]
  /** Slots of the trend. */
  trendCuts: Date[]
  metric: Metric | null
  /** Slots before this one only have states and scores. */
  wholeFrom: number
}

export interface Counted {
  cells: Array<CellCount & { slot: number }>
  trend: TrendCount[]
  /** Whether rollups would spare the reading of many responses. */
  isCrowded: boolean
}

/** Counts all responses, from rollups as far as they go. */
export async function countAll(
  scope: Scope,
  tx: ReadTx,
  { isAnonymous, ...counting }: Counting & { isAnonymous: boolean },
): Promise<Counted> {
  const { id, cuts, trendCuts, metric } = counting
  const rolled = await readRolled(tx, id, spanOf(cuts))
  const cover = coverBetween(cuts, rolled)
  const trendCover = coverBetween(trendCuts, rolled)
  const condition = isAnonymous ? await conditionOf(scope, tx, { all: [] }) : undefined
  const [live, cells, trend, isCrowded] = await Promise.all([
    countLive(tx, counting, condition, { cells: cover.live, trend: trendCover.live }),
    store.sumCells(tx, id, cover, counting),
    store.sumTrend(tx, id, trendCover, trendCuts.slice(0, -1), metric),
    store.isCrowded(tx, id, cover.live, MOST_LIVE),
  ])
  return { cells: [...live.cells, ...cells], trend: [...live.trend, ...trend], isCrowded }
}

/**
 * Counts the responses that pass a filter. Facts decide it where they can. Otherwise each response is tested, and facts
 * are counted.
 */
export async function countFiltered(
  scope: Scope,
  tx: ReadTx,
  { filter, ...counting }: Counting & { filter: Filter },
): Promise<Counted> {
  const { id, cuts, trendCuts, wholeFrom } = counting
  const span = spanOf(cuts)
  const prefixes = prefixesOf(filter)
  const known =
    prefixes && (await factFilter(filter, await facts.listCells(tx, [id], span, prefixes), scope.clock.now()))
  const condition = await conditionOf(scope, tx, filter)
  const [built, stale] = await Promise.all([facts.listDays(tx, id, span), readStale(tx, id, span)])
  const days = known ? built : unchanged(built, stale)
  const cover = coverByFacts(cuts, days, stale)
  const trendCover = coverByFacts(trendCuts, days, stale)
  const [live, counted, isCrowded] = await Promise.all([
    countLive(tx, counting, condition, { cells: cover.live, trend: trendCover.live }),
    factCounts.countFacts(tx, {
      surveyId: id,
      condition: known ?? { scan: condition, trigrams: trigramsIn(filter) },
      segments: cover.segments,
      wholeFrom,
      trendSegments: trendCover.segments,
    }),
    store.isCrowded(tx, id, cover.live, MOST_LIVE),
  ])
  const parts = await groupInSlices(counted, ({ is_trend }) => is_trend)
  const trend = trendOf(parts.get(true) ?? [], counting.metric)
  return { cells: [...live.cells, ...(parts.get(false) ?? [])], trend: [...live.trend, ...trend], isCrowded }
}

/** The median time of each of these spans, under a filter. */
export async function medianDurations(
  scope: Scope,
  tx: ReadTx,
  id: Id<'survey'>,
  { filter, spans }: { filter: Filter | undefined; spans: Span[] },
): Promise<Array<number | null>> {
  const condition = await conditionOf(scope, tx, filter ?? { all: [] })
  const medians: Array<number | null> = []
  // One after another, so that a step of the event loop writes a long condition once.
  for (const span of spans) medians.push(await store.medianDuration(tx, id, span, condition))
  return medians
}

/** Days without a changed quarter. */
function unchanged(days: Date[], stale: Date[]): Date[] {
  const changed = new Set(stale.map((quarter) => floor(quarter.getTime(), DAY_MS)))
  return days.filter((day) => !changed.has(day.getTime()))
}

async function countLive(
  tx: ReadTx,
  { id, cuts, trendCuts, metric, wholeFrom }: Counting,
  condition: store.LiveCount['condition'],
  live: { cells: Span[]; trend: Span[] },
): Promise<Pick<Counted, 'cells' | 'trend'>> {
  const cells = await store.countCells(tx, { surveyId: id, condition, spans: live.cells, cuts }, wholeFrom)
  const trend = await store.countTrend(
    tx,
    { surveyId: id, condition, spans: live.trend, cuts: trendCuts.slice(0, -1) },
    metric,
  )
  return { cells, trend }
}

function conditionOf(scope: Scope, tx: ReadTx, filter: Filter): ReturnType<typeof compileFilter> {
  return compileFilter('responses', filter, {
    tx,
    alias: 'r',
    now: scope.clock.now(),
    reads: 'figures',
    asker: scope.principal,
  })
}

/** The states and points of each slot, as a trend counts them. */
function trendOf(cells: Counted['cells'], metric: Metric | null): TrendCount[] {
  return cells.map(({ slot, cell, n }) => {
    const [kind, name, value] = JSON.parse(cell) as string[]
    const isState = kind === 'state'
    const counts = isState && name !== 'quarantined' && name !== 'deleted'
    const hasPoints = !isState && metric !== null && name === metric
    return {
      slot,
      responses: counts ? n : 0,
      completed: counts && name === 'completed' ? n : 0,
      scores: hasPoints ? scoresOf(metric).map((score) => (score === Number(value) ? n : 0)) : [],
    }
  })
}

function spanOf(cuts: Date[]): Span {
  return { since: cuts[0] ?? new Date(0), until: cuts.at(-1) ?? new Date(0) }
}
