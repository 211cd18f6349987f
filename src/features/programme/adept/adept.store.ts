import { type RawBuilder, type ReadTx, sql } from '../../../platform/database/database.ts'
import type { CountRow } from './counts.ts'

/** Completed responses by metric. @param condition the filter, compiled on the alias `r`. */
export function countScores(tx: ReadTx, condition: RawBuilder<unknown>): Promise<CountRow[]> {
  return tx.many(sql<CountRow>`
    select r.metric, count(*)::int as n,
      (count(*) filter (where r.band in ('promoter', 'satisfied', 'easy')))::int as good,
      (count(*) filter (where r.band in ('detractor', 'dissatisfied', 'difficult')))::int as bad,
      coalesce(sum(r.score), 0)::float8 as score_sum
    from responses r
    where r.tenant_id = ${tx.tenantId} and r.state = 'completed' and ${condition}
    group by r.metric order by n desc`)
}
