import { type RawBuilder, type ReadTx, sql } from '../../../platform/database/database.ts'
import type { ScoreRow } from './figures.ts'

/** Completed responses by metric and score. @param condition the filter, compiled on the alias `r`. */
export function countScores(tx: ReadTx, condition: RawBuilder<unknown>): Promise<ScoreRow[]> {
  return tx.many(sql<ScoreRow>`
    select r.metric, r.score, count(*)::int as n
    from responses r
    where r.tenant_id = ${tx.tenantId} and r.state = 'completed' and ${condition}
    group by r.metric, r.score`)
}
