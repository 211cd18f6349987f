import type { ReadTx } from '../../../platform/database.ts'
import type { FilterTest } from '../../../platform/filter/grammar.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { listSurveyIds } from '../../surveys/surveys/survey-names.service.ts'
import * as counts from './counts.store.ts'
import { factFilter, prefixesOf } from './fact-filter.ts'
import * as factCounts from './fact-counts.store.ts'
import * as facts from './facts.store.ts'
import { DAY_MS, floor, QUARTER_MS, type Span } from './rollup-cover.ts'
import { readStale } from './rollups.service.ts'

/** More surveys take longer to ask than a walk takes. */
const MOST_SURVEYS = 50
const ALWAYS: Span = { since: new Date(0), until: new Date('9999-01-01T00:00:00Z') }

/** A piece of the past of a survey. */
export interface Piece extends Span {
  surveyId: Id<'survey'>
}

/**
 * Where responses may be that pass all of these tests, by facts: days in which one passes, and what has no facts. Null
 * if facts do not decide, or more than `most` responses are there.
 */
export async function findCandidates(
  scope: Scope,
  tx: ReadTx,
  tests: FilterTest[],
  most: number,
): Promise<Piece[] | null> {
  const surveyIds = await listSurveyIds(tx)
  const prefixes = prefixesOf({ all: tests })
  if (!prefixes || surveyIds.length > MOST_SURVEYS) return null
  const cells = await facts.listCells(tx, surveyIds, ALWAYS, prefixes)
  const condition = factFilter({ all: tests }, cells, scope.clock.now())
  if (!condition) return null
  const days = Map.groupBy(await factCounts.listDaysPassing(tx, surveyIds, condition), (day) => day.survey_id)
  const pieces: Piece[] = []
  let n = 0
  for (const surveyId of surveyIds) {
    const own = days.get(surveyId) ?? []
    const others = own.filter((day) => !day.passes)
    const live = [
      ...gapsOf(own.map((day) => day.starts_at)),
      ...(await changedIn(
        tx,
        surveyId,
        others.map((day) => day.starts_at),
      )),
    ]
    if (await counts.isCrowded(tx, surveyId, live, most)) return null
    const passing = own.filter((day) => day.passes)
    n += passing.reduce((sum, day) => sum + day.n, 0)
    const spans = [...live, ...passing.map((day) => spanFrom(day.starts_at, DAY_MS))]
    pieces.push(...spans.map((span) => ({ ...span, surveyId })))
  }
  return n > most ? null : pieces
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
