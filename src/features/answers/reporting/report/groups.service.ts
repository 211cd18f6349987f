import type { ReadTx } from '../../../../platform/database/database.ts'
import type { Filter } from '../../../../platform/filter/grammar.ts'
import type { Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { Metric } from '../../../../survey-engine/model/definition.ts'
import * as counts from '../cells/counts.store.ts'
import * as factCounts from '../facts/fact-counts.store.ts'
import { coverByFacts } from '../facts/fact-cover.ts'
import { factFilter, prefixesOf, startOf } from '../facts/fact-filter.ts'
import * as facts from '../facts/facts.store.ts'
import type { Span } from '../cells/rollup-cover.ts'
import { readStale } from '../rollups/rollups.service.ts'

/** Responses that are read one by one before rollups are requested. */
const MOST_LIVE = 5_000

/** Kinds of facts that figures may be grouped by. */
export type GroupKind = 'channel' | 'language' | 'band' | 'agent_id' | 'tag'

export interface Grouping {
  filter: Filter
  kind: GroupKind | null
  /** The groups that are wanted. Absent: all. */
  keys?: string[] | undefined
  metric: Metric | null
  /** Slot 1 begins at the first cut. */
  cuts: Date[]
  until: Date
}

export interface GroupFigure {
  surveyId: Id<'survey'>
  slot: number
  key: string | null
  score: number | null
  /** Responses that reports count, or with a metric completed ones of this score. */
  n: number
  completed: number
}

export interface Grouped {
  figures: GroupFigure[]
  /** Spans that are left to be counted from responses. */
  live: Array<Span & { surveyId: Id<'survey'> }>
  /** Surveys that should be rolled up. */
  crowded: Id<'survey'>[]
}

/** Counts responses by slots and groups, from facts as far as they go. Null if they cannot decide. */
export async function countGroups(
  scope: Scope,
  tx: ReadTx,
  surveyIds: Id<'survey'>[],
  { filter, kind, keys, metric, cuts, until }: Grouping,
): Promise<Grouped | null> {
  const asked = prefixesOf(filter)
  if (!asked) return null
  const many = kind === null ? [] : [startOf('many', kind)]
  const span = { since: cuts[0] ?? until, until }
  const grouped: Grouped = { figures: [], live: [], crowded: [] }
  for (const surveyId of surveyIds) {
    const cells = await facts.listCells(tx, [surveyId], span, [...new Set([...asked, ...many])])
    const condition = cells.some((cell) => many.some((start) => cell.startsWith(start)))
      ? null
      : await factFilter(filter, cells, scope.clock.now())
    if (!condition) return null
    const [days, stale] = await Promise.all([facts.listDays(tx, surveyId, span), readStale(tx, surveyId, span)])
    const { segments, live } = coverByFacts([...cuts, until], days, stale)
    const found = await factCounts.countGroups(tx, { surveyId, condition, segments, kind, keys, metric })
    for (const { slot, cell, points, n, completed } of found)
      grouped.figures.push({
        surveyId,
        slot,
        key: kind === null ? null : nameIn(cell, 1),
        score: scoreIn(points),
        n,
        completed,
      })
    if (await counts.isCrowded(tx, surveyId, live, MOST_LIVE)) grouped.crowded.push(surveyId)
    grouped.live.push(...live.map((each) => ({ ...each, surveyId })))
  }
  return grouped
}

function nameIn(cell: string, at: number): string {
  return String((JSON.parse(cell) as string[])[at])
}

function scoreIn(points: string | null): number | null {
  return points === null ? null : Number(nameIn(points, 2))
}
