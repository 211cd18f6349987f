import { type ReadTx, sql } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'
import type { Metric } from '../../../../survey-engine/model/definition.ts'

export interface WindowCount {
  survey_id: Id<'survey'>
  /** Whether it was given in the later window. */
  is_late: boolean
  score: number
  n: number
}

/** How often each score was given in two windows of some surveys. */
export function countScores(
  tx: ReadTx,
  {
    surveyIds,
    metric,
    from,
    middle,
    to,
  }: { surveyIds: Id<'survey'>[]; metric: Metric; from: Date; middle: Date; to: Date },
): Promise<WindowCount[]> {
  return tx.many(sql<WindowCount>`
    select given.id as survey_id, r.is_late, r.score, r.n from unnest(${surveyIds}::uuid[]) as given (id)
    cross join lateral (
      select recorded_at >= ${middle} as is_late, score, count(*)::integer as n from responses
      where tenant_id = ${tx.tenantId} and survey_id = given.id and recorded_at >= ${from} and recorded_at < ${to}
        and state = 'completed' and metric = ${metric} and score is not null and anonymity is null
      group by 1, 2 offset 0) r`)
}
