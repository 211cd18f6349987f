import { type RawBuilder, type ReadTx, sql } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Metric } from '../../../survey-engine/model/definition.ts'

export interface Counted {
  metric: Metric
  /** Null: an id that nobody can have. Undefined: every survey. */
  surveyId: Id<'survey'> | null | undefined
  from: Date
  to: Date
}

/** How often each score was given to an agent, by the slots that begin at `starts`. Slot 0 is before them all. */
export function countOfAgent(
  tx: ReadTx,
  agentId: Id<'agent'>,
  counted: Counted,
  starts: Date[],
): Promise<Array<{ slot: number; score: number; n: number }>> {
  return tx.many(sql<{ slot: number; score: number; n: number }>`
    select width_bucket(completed_at, ${starts}::timestamptz[]) as slot, score, count(*)::integer as n from responses
    where tenant_id = ${tx.tenantId} and agent_id = ${agentId} and ${within(counted)} group by 1, 2`)
}

/** How often each score was given to those of these agents who have one. Each reads its own part of the index. */
export function countByAgent(
  tx: ReadTx,
  agentIds: Id<'agent'>[],
  counted: Counted,
): Promise<Array<{ agent_id: Id<'agent'>; scores: Record<string, number> }>> {
  return tx.many(sql<{ agent_id: Id<'agent'>; scores: Record<string, number> }>`
    select given.id as agent_id, r.scores from unnest(${agentIds}::uuid[]) as given (id)
    cross join lateral (
      select jsonb_object_agg(score, n) as scores from (
        select score, count(*)::integer as n from responses
        where tenant_id = ${tx.tenantId} and agent_id = given.id and agent_id is not null and ${within(counted)}
        group by score offset 0) as counts) r
    where r.scores is not null`)
}

/** Invitations that a provider took, and those that were answered. Reminders belong to their invitation. */
export function countInvited(
  tx: ReadTx,
  agentId: Id<'agent'>,
  { surveyId, from, to }: Counted,
): Promise<{ accepted: number; answered: number }> {
  return tx.one(sql<{ accepted: number; answered: number }>`
    select count(distinct first_send_id)::integer as accepted,
      count(distinct first_send_id) filter (where status = 'completed')::integer as answered
    from sends
    where tenant_id = ${tx.tenantId} and agent_id = ${agentId} and accepted_at >= ${from} and accepted_at < ${to} and ${about(surveyId)}`)
}

function within({ metric, surveyId, from, to }: Counted): RawBuilder<unknown> {
  return sql`state = 'completed' and metric = ${metric} and completed_at >= ${from} and completed_at < ${to} and ${about(surveyId)}`
}

function about(surveyId: Counted['surveyId']): RawBuilder<unknown> {
  if (surveyId === undefined) return sql`true`
  return surveyId === null ? sql`false` : sql`survey_id = ${surveyId}`
}
