import type { ReadTx } from '../../../platform/database.ts'
import type { Filter, FilterTest } from '../../../platform/filter/grammar.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { listSurveyIds } from '../../surveys/surveys/survey-names.service.ts'
import * as counts from './counts.store.ts'
import { factFilter, prefixesOf } from './fact-filter.ts'
import * as factCounts from './fact-counts.store.ts'
import * as facts from './facts.store.ts'
import { DAY_MS, floor, QUARTER_MS, type Span } from './rollup-cover.ts'
import { readStale } from './rollups.service.ts'
import { trigramsIn } from './trigrams.ts'

/** More surveys take longer to ask than a walk takes. */
const MOST_SURVEYS = 50
const ALWAYS: Span = { since: new Date(0), until: new Date('9999-01-01T00:00:00Z') }

/** A piece of the past of a survey. */
export interface Piece extends Span {
  surveyId: Id<'survey'>
}

/**
 * Where responses may be that pass all of these tests, by facts: days in which one passes, days whose texts may contain
 * a word, and what has no facts. Null if facts do not decide, or more than `most` responses are there.
 */
export async function findCandidates(
  scope: Scope,
  tx: ReadTx,
  tests: FilterTest[],
  most: number,
): Promise<Piece[] | null> {
  const surveyIds = await listSurveyIds(tx)
  const decided: Filter = { all: tests.filter(({ field }) => field !== 'text') }
  const prefixes = prefixesOf(decided)
  if (!prefixes || surveyIds.length > MOST_SURVEYS) return null
  const cells = await facts.listCells(tx, surveyIds, ALWAYS, prefixes)
  const condition = factFilter(decided, cells, scope.clock.now())
  if (!condition) return null
  const all = await factCounts.listDaysPassing(tx, surveyIds, condition, trigramsIn({ all: tests }))
  const n = all.reduce((sum, day) => (day.passes ? sum + day.n : sum), 0)
  if (n > most) return null
  const days = Map.groupBy(all, (day) => day.survey_id)
  const found = await Promise.all(surveyIds.map((id) => piecesOf(tx, id, days.get(id) ?? [], most)))
  return found.every((pieces) => pieces !== null) ? found.flat() : null
}

/** The responses of a span of time. Null if they are more than `most` of one survey. */
export async function findWithin(tx: ReadTx, span: Span, most: number): Promise<Piece[] | null> {
  const surveyIds = await listSurveyIds(tx)
  if (surveyIds.length > MOST_SURVEYS) return null
  const crowded = await Promise.all(surveyIds.map((id) => counts.isCrowded(tx, id, [span], most)))
  return crowded.includes(true) ? null : surveyIds.map((surveyId) => ({ ...span, surveyId }))
}

async function piecesOf(
  tx: ReadTx,
  surveyId: Id<'survey'>,
  days: Array<{ starts_at: Date; passes: boolean }>,
  most: number,
): Promise<Piece[] | null> {
  const [passing, others] = [true, false].map((passes) =>
    days.filter((day) => day.passes === passes).map((day) => day.starts_at),
  ) as [Date[], Date[]]
  const live = [...gapsOf(days.map((day) => day.starts_at)), ...(await changedIn(tx, surveyId, others))]
  if (await counts.isCrowded(tx, surveyId, live, most)) return null
  return [...live, ...passing.map((day) => spanFrom(day, DAY_MS))].map((span) => ({ ...span, surveyId }))
}

/** The time outside of these days, which are in order. */
function gapsOf(days: Date[]): Span[] {
  const ends = [ALWAYS.since, ...days.map((day) => spanFrom(day, DAY_MS).until)]
  return ends.flatMap((since, index) => {
    const until = days[index] ?? ALWAYS.until
    return since < until ? [{ since, until }] : []
  })
}

/** Quarters of these days that changed since. */
async function changedIn(tx: ReadTx, surveyId: Id<'survey'>, days: Date[]): Promise<Span[]> {
  if (days.length === 0) return []
  const known = new Set(days.map((day) => day.getTime()))
  const stale = await readStale(tx, surveyId, ALWAYS)
  return stale.filter((at) => known.has(floor(at.getTime(), DAY_MS))).map((at) => spanFrom(at, QUARTER_MS))
}

function spanFrom(since: Date, ms: number): Span {
  return { since, until: new Date(since.getTime() + ms) }
}
