import type { ReadTx } from '../../../../platform/database/database.ts'
import { compileFilter } from '../../../../platform/filter/compile.ts'
import type { Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import * as store from '../cells/counts.store.ts'
import type { Metric } from '../../../../survey-engine/model/definition.ts'
import { scoresOf } from '../../../../survey-engine/metrics/metrics.ts'
import { coverBetween } from '../cells/rollup-cover.ts'
import { readRolled, requestRollups } from '../rollups/rollups.service.ts'

/** Responses that are read one by one before rollups are requested. */
const MOST_LIVE = 5_000

export interface SlotCount {
  surveyId: Id<'survey'>
  slot: number
  responses: number
  completed: number
  scores: Array<{ score: number; n: number }>
}

/**
 * Counts all responses of surveys by slots, from rollups as far as they go. Slot 1 begins at the first cut.
 * @returns the counts, and surveys that should be rolled up (see `rollUp`).
 */
export async function countSlots(
  scope: Scope,
  tx: ReadTx,
  surveyIds: Id<'survey'>[],
  { metric, cuts, until }: { metric: Metric | null; cuts: Date[]; until: Date },
): Promise<{ counts: SlotCount[]; crowded: Id<'survey'>[] }> {
  const [since = until] = cuts
  const context = { tx, alias: 'r', now: scope.clock.now(), reads: 'figures' } as const
  const condition = await compileFilter('responses', { all: [] }, context)
  const counts: SlotCount[] = []
  const crowded: Id<'survey'>[] = []
  for (const surveyId of surveyIds) {
    const cover = coverBetween([...cuts, until], await readRolled(tx, surveyId, { since, until }))
    const live = await store.countTrend(tx, { surveyId, condition, spans: cover.live, cuts }, metric)
    const rolled = await store.sumTrend(tx, surveyId, cover, cuts, metric)
    if (live.reduce((sum, row) => sum + row.responses, 0) > MOST_LIVE) crowded.push(surveyId)
    const values = metric ? scoresOf(metric) : []
    for (const { scores, ...row } of [...live, ...rolled])
      counts.push({
        surveyId,
        ...row,
        scores: values.flatMap((score, at) => (scores[at] ? [{ score, n: scores[at] }] : [])),
      })
  }
  return { counts, crowded }
}

/** Makes the next sweep roll these surveys up. */
export async function rollUp(scope: Scope, surveyIds: Id<'survey'>[]): Promise<void> {
  for (const surveyId of surveyIds) await requestRollups(scope, surveyId)
}
