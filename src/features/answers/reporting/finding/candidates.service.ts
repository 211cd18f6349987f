import type { ReadTx } from '../../../../platform/database/database.ts'
import { POSITIVE, type Filter, type FilterTest } from '../../../../platform/filter/grammar.ts'
import { formatId, type Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { listSurveyIds } from '../../../surveys/surveys/published-surveys.service.ts'
import * as counts from '../cells/counts.store.ts'
import { factFilter, prefixesOf } from '../facts/fact-filter.ts'
import * as factCounts from '../facts/fact-counts.store.ts'
import * as facts from '../facts/facts.store.ts'
import type { Piece } from './pieces.ts'
import { QUARTER_MS, type Span } from '../cells/rollup-cover.ts'
import { readStale } from '../rollups/rollups.service.ts'
import { trigramsIn } from '../facts/trigrams.ts'

/** More surveys take longer to ask than a walk takes. */
const MOST_SURVEYS = 50
/** Where more blocks have passing responses, a walk meets them soon. */
const MOST_BLOCKS = 4_000
/** Responses of all surveys, and spans of one, that may have to be read because facts do not know them. */
const MOST_LIVE = 20_000
const MOST_SPANS = 1_000
const ALWAYS: Span = { since: new Date(0), until: new Date('9999-01-01T00:00:00Z') }

const FOUND = /^(?:(?:answer|custom)\..*|reached|dropped_off)$/s

/** Whether facts may know where the few responses are that pass a test. */
export function factsMayFind(test: FilterTest): boolean {
  return trigramsIn(test).length > 0 || (FOUND.test(test.field) && POSITIVE.has(test.op))
}

/**
 * Where responses may be that pass all of these tests, by facts: blocks in which one passes or whose texts may contain
 * a word, and what has no facts. Null if facts do not decide, or many blocks pass.
 */
export async function findCandidates(
  scope: Scope,
  tx: ReadTx,
  tests: FilterTest[],
  beyond: factCounts.Beyond | null,
): Promise<Piece[] | null> {
  const surveyIds = await surveysOf(tx, tests)
  const found = tests.filter(factsMayFind)
  const decided: Filter = { all: found.filter(({ field }) => field !== 'text') }
  const prefixes = prefixesOf(decided)
  if (!prefixes || found.length === 0 || surveyIds.length > MOST_SURVEYS) return null
  const cells = await facts.listCells(tx, surveyIds, ALWAYS, prefixes)
  const condition = await factFilter(decided, cells, scope.clock.now())
  if (!condition) return null
  const options = { trigrams: trigramsIn({ all: found }), beyond, limit: MOST_BLOCKS + 1 }
  const blocks = await factCounts.listBlocksPassing(tx, surveyIds, condition, options)
  if (blocks.length > MOST_BLOCKS) return null
  const live = await findLive(tx, surveyIds)
  return live && [...live, ...blocks.map(pieceOf)]
}

/** The responses of a span of time. Null if they are more than `most` of one survey. */
export async function findWithin(tx: ReadTx, span: Span, most: number): Promise<Piece[] | null> {
  const surveyIds = await listSurveyIds(tx)
  if (surveyIds.length > MOST_SURVEYS) return null
  const crowded = await Promise.all(surveyIds.map((id) => counts.isCrowded(tx, id, [span], most)))
  return crowded.includes(true) ? null : surveyIds.map((surveyId) => ({ ...span, surveyId, ids: null }))
}

/** The published surveys, or those of them that one of the tests names. */
async function surveysOf(tx: ReadTx, tests: FilterTest[]): Promise<Id<'survey'>[]> {
  const all = await listSurveyIds(tx)
  const named = tests.find(({ field, op }) => field === 'survey_id' && (op === 'eq' || op === 'one_of'))
  if (!named) return all
  const texts = new Set<unknown>([named.value].flat())
  return all.filter((id) => texts.has(formatId('survey', id)))
}

/** Spans unknown to facts: days without them, and quarters that changed since. Null if they are many. */
async function findLive(tx: ReadTx, surveyIds: Id<'survey'>[]): Promise<Piece[] | null> {
  const known = Map.groupBy(await factCounts.listKnownSpans(tx, surveyIds), (span) => span.survey_id)
  const found = await Promise.all(
    surveyIds.map(async (surveyId) => {
      const live = [...gapsOf(known.get(surveyId) ?? []), ...(await readStale(tx, surveyId, ALWAYS)).map(quarterAt)]
      const most = Math.ceil(MOST_LIVE / surveyIds.length)
      return live.length > MOST_SPANS || (await counts.isCrowded(tx, surveyId, live, most))
        ? null
        : live.map((span): Piece => ({ ...span, surveyId, ids: null }))
    }),
  )
  return found.every((pieces) => pieces !== null) ? found.flat() : null
}

/** The time outside of these spans, which are in order. */
function gapsOf(spans: Span[]): Span[] {
  const starts = [ALWAYS.since, ...spans.map(({ until }) => until)]
  return starts.flatMap((since, index) => {
    const until = spans[index]?.since ?? ALWAYS.until
    return since < until ? [{ since, until }] : []
  })
}

function quarterAt(since: Date): Span {
  return { since, until: new Date(since.getTime() + QUARTER_MS) }
}

// The last moment is within the span, and may be some microseconds later than its date.
function pieceOf({ survey_id, recorded: [since, last], ids }: factCounts.Block): Piece {
  return { surveyId: survey_id, since, until: new Date(last.getTime() + 1), ids }
}
