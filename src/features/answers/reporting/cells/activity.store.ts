import { type ReadTx, sql } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'
import { inFigures } from '../../../../platform/threshold.ts'

/** The last completed response of each survey. Of an anonymous one: the day of its last group. */
export function listLast(tx: ReadTx, ids: Id<'survey'>[]): Promise<Array<{ id: Id<'survey'>; at: Date }>> {
  return tx.many(sql<{ id: Id<'survey'>; at: Date }>`
    select given.id, last.at from unnest(${ids}::uuid[]) as given (id)
    cross join lateral (
      select case when r.anonymity is null then r.recorded_at else date_bin('1 day', r.recorded_at, 'epoch') end as at
      from responses r
      where r.tenant_id = ${tx.tenantId} and r.survey_id = given.id and r.recorded_at >= '-infinity'
        and r.state = 'completed' and ${inFigures('r')}
      order by r.recorded_at desc limit 1) last`)
}
