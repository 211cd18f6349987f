import type { Id } from '../../../../platform/ids.ts'
import { type RawBuilder, type ReadTx, sql } from '../../../../platform/database/database.ts'
import { OF_TEXT, type ThemeRow } from '../verbatim-rows.ts'

export interface Period {
  from: Date
  to: Date
  interval: 'day' | 'week' | 'month'
}

/** The topics that people wrote about an agent in a period, most frequent first. No survey means every survey. */
export function countTopicsOfAgent(
  tx: ReadTx,
  {
    agentId,
    surveyId,
    from,
    to,
  }: { agentId: Id<'agent'>; surveyId: Id<'survey'> | null | undefined; from: Date; to: Date },
): Promise<Array<{ topic: string; n: number; sentiment: number | null }>> {
  return tx.many(sql<{ topic: string; n: number; sentiment: number | null }>`
    select p.name as topic, count(*)::int as n, round(avg(v.sentiment_score)::numeric, 2)::float8 as sentiment
    from responses r
    join verbatims v on v.tenant_id = ${tx.tenantId} and v.response_id = r.id
    join verbatim_topics t on t.tenant_id = ${tx.tenantId} and t.response_id = v.response_id and t.question_id = v.question_id
    join topics p on p.tenant_id = ${tx.tenantId} and p.id = t.topic_id
    where r.tenant_id = ${tx.tenantId} and r.agent_id = ${agentId} and r.state = 'completed' and r.anonymity is null
      and r.completed_at >= ${from} and r.completed_at < ${to}
      and ${surveyId === undefined ? sql`true` : sql`r.survey_id = ${surveyId}`}
    group by p.name order by n desc, topic limit 20`)
}

const R = sql.ref(OF_TEXT)

/** Texts of a period by topic, metric and step. */
export function countThemes(tx: ReadTx, period: Period, condition: RawBuilder<unknown> | null): Promise<ThemeRow[]> {
  const joined = condition
    ? sql`cross join lateral (
        select * from responses where tenant_id = ${tx.tenantId} and id = v.response_id and state = 'completed' and erased_at is null offset 0) ${R}`
    : sql`join responses ${R} on ${R}.tenant_id = ${tx.tenantId} and ${R}.id = v.response_id and ${R}.state = 'completed' and ${R}.erased_at is null`
  return tx.many(sql<ThemeRow>`
    with texts as materialized (
      select v.response_id, v.question_id, date_trunc(${period.interval}, v.completed_at at time zone 'UTC') at time zone 'UTC' as at,
        v.sentiment_score::float8 as sentiment, ${R}.metric, ${R}.score::float8 as score
      from verbatims v ${joined}
      where v.tenant_id = ${tx.tenantId} and v.completed_at >= ${period.from} and v.completed_at < ${period.to} and ${condition ?? sql`true`})
    select null::uuid as topic_id, metric, at, count(*)::int as n, sum(sentiment) as sentiment_sum, count(score)::int as scored,
      coalesce(sum(score), 0) as score_sum,
      coalesce(sum(score * score), 0) as score_squares
    from texts group by metric, at
    union all
    select t.topic_id, x.metric, x.at, count(*)::int, sum(x.sentiment), count(x.score)::int, coalesce(sum(x.score), 0),
      coalesce(sum(x.score * x.score), 0)
    from texts x join verbatim_topics t
      on t.tenant_id = ${tx.tenantId} and t.response_id = x.response_id and t.question_id = x.question_id
    group by t.topic_id, x.metric, x.at`)
}
