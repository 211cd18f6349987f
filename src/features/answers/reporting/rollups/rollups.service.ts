import { randomUUID } from 'node:crypto'
import { countDue, passBarrier, type SealedCounts, type StepOutcome } from '../../../../platform/work/sealed-counts.ts'
import type { ReadTx, TenantTx } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../../platform/scope.ts'
import type { SweepOptions } from '../../../../platform/work/sweeps.ts'
import * as counts from '../cells/counts.store.ts'
import * as facts from '../facts/facts.store.ts'
import {
  ceil,
  DAY_MS,
  daysAround,
  floor,
  QUARTER_MS,
  quarterOf,
  type Rolled,
  type Span,
} from '../cells/rollup-cover.ts'
import * as store from './rollups.store.ts'

const MINUTE_MS = 60_000
// So that captures in flight at the end of a quarter rarely have to mark it. Correctness does not depend on it.
const SETTLE_MS = 2 * MINUTE_MS
const SURVEYS: SealedCounts = { table: 'report_surveys', key: 'survey_id', pauseMs: 5 * MINUTE_MS }
/** Responses or marks in one transaction, which takes a fraction of a second. */
const BATCH = 5_000
const BATCH_MARKS = 200

/** The rollups that a report may use, as `tx` sees them. Null if there are none. */
export async function readRolled(tx: ReadTx, id: Id<'survey'>, range: Span): Promise<Rolled | null> {
  const [survey, stale] = await Promise.all([store.findSurvey(tx, id), readStale(tx, id, range)])
  return survey ? { until: survey.rolled_until, stale } : null
}

/**
 * The start times of quarters that changed after they were counted, in order, of all days (UTC) that a span touches:
 * facts know a response by its place in the whole day.
 */
export function readStale(tx: ReadTx, id: Id<'survey'>, { since, until }: Span): Promise<Date[]> {
  return store.listStale(tx, id, {
    since: new Date(floor(since.getTime(), DAY_MS)),
    until: new Date(ceil(until.getTime(), DAY_MS)),
  })
}

/** Makes the next sweep roll up a survey. */
export async function requestRollups(scope: Scope, id: Id<'survey'>): Promise<void> {
  await scope.tx((tx) => store.insertSurvey(tx, id, scope.clock.now()))
}

/**
 * Marks the recording times of written, changed or removed responses for the reports, with COMMIT. Call it after the
 * write, with the times from before and after it.
 */
export function markRecorded(tx: TenantTx, id: Id<'survey'>, moments: readonly Date[]): void {
  const quarters = new Set(moments.map((moment) => quarterOf(moment).getTime()))
  store.insertMarks(
    tx,
    id,
    [...quarters].map((at) => ({ id: randomUUID(), starts_at: new Date(at) })),
  )
}

/** The same after an erasure, which also takes the facts of the days at once. The next sweep makes them anew. */
export async function forgetRecorded(tx: TenantTx, id: Id<'survey'>, moments: readonly Date[]): Promise<void> {
  markRecorded(tx, id, moments)
  const days = new Set(moments.map((moment) => floor(moment.getTime(), DAY_MS)))
  await facts.deleteFacts(
    tx,
    id,
    [...days].map((day) => new Date(day)),
  )
}

/** Updates the rollups of due surveys. Returns the number of steps. */
export function rollDueSurveys(system: SystemScope, options: SweepOptions): Promise<number> {
  return countDue(system, SURVEYS, options, takeStep)
}

/**
 * One short transaction of a survey's rollup: seal the past, set the barrier, roll up a batch once it is clear, then
 * the marked quarters, then facts. docs/decisions/0009-report-rollups.md explains why this order misses nothing.
 */
async function takeStep(scope: Scope, tx: TenantTx, id: Id<'survey'>): Promise<StepOutcome> {
  const survey = await store.lockSurvey(tx, id)
  if (!survey) return 'done'
  if (survey.rolled_until < survey.sealed_until) {
    const passing = await passBarrier(tx, SURVEYS, id, survey.barrier)
    if (passing === 'waiting') return 'waiting'
    if (passing === 'clear') await rollOn(tx, id, survey)
    return 'more'
  }
  const until = quarterOf(new Date(scope.clock.now().getTime() - SETTLE_MS))
  if (until > survey.sealed_until) {
    await store.updateSurvey(tx, id, { ...survey, sealed_until: until, barrier: null })
    return 'more'
  }
  return (await rollMarked(tx, id, survey)) || (await addFacts(tx, id)) ? 'more' : 'done'
}

/** The next batch of quarters after the rollups. */
async function rollOn(tx: TenantTx, id: Id<'survey'>, survey: store.RolledSurvey): Promise<void> {
  const since = survey.rolled_until
  const last = await store.findNthRecorded(tx, id, { since, until: survey.sealed_until, n: BATCH })
  const until = last ? new Date(quarterOf(last).getTime() + QUARTER_MS) : survey.sealed_until
  const marks = await store.listMarks(tx, id, { since, until, limit: BATCH })
  await counts.insertQuarters(tx, id, [{ since, until }])
  await counts.insertDays(tx, id, daysAround([{ since, until }], until))
  await store.deleteMarks(tx, id, marks)
  await store.updateSurvey(tx, id, { ...survey, rolled_until: until })
}

/**
 * Some quarters that changed after their rollup. Marks are read before responses, so a change in between stays marked.
 */
async function rollMarked(tx: TenantTx, id: Id<'survey'>, survey: store.RolledSurvey): Promise<boolean> {
  const marks = await store.listMarks(tx, id, { since: new Date(0), until: survey.rolled_until, limit: BATCH_MARKS })
  if (marks.length === 0) return false
  const quarters = [...new Set(marks.map((mark) => mark.starts_at.getTime()))].map((at) => ({
    since: new Date(at),
    until: new Date(at + QUARTER_MS),
  }))
  const days = quarters.flatMap((quarter) => daysAround([quarter], survey.rolled_until))
  await counts.deleteRollups(tx, id, 15, startsOf(quarters))
  await counts.deleteRollups(tx, id, 1440, startsOf(days))
  await facts.deleteFacts(tx, id, startsOf(days))
  await counts.insertQuarters(tx, id, quarters)
  await counts.insertDays(tx, id, daysAround(quarters, survey.rolled_until))
  await store.deleteMarks(tx, id, marks)
  return true
}

/**
 * Makes the facts of some days that have none, or have those of an earlier version, beginning with the newest. Returns
 * false if there are none.
 */
async function addFacts(tx: TenantTx, id: Id<'survey'>): Promise<boolean> {
  const missing = await facts.listMissingDays(tx, id)
  let n = 0
  const days = missing.filter((day, index) => (n += day.n) <= BATCH || index === 0).map((day) => day.starts_at)
  if (days.length === 0) return false
  await facts.deleteFacts(tx, id, days)
  await facts.insertFacts(tx, id, days)
  return true
}

function startsOf(spans: Span[]): Date[] {
  return spans.map((span) => span.since)
}
