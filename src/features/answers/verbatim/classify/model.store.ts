import { sql, type TenantTx } from '../../../../platform/database/database.ts'
import { dueBy, type Due } from '../../../../platform/work/due-tenants.ts'
import type { VerbatimKey } from '../verbatim-rows.ts'

export function dueUnread(now: Date): Due {
  return dueBy('verbatims', 'model_at', now)
}

/** The newest texts that the model has not read. Nobody else finds them before `until`, which names the claim. */
export function claimUnread(tx: TenantTx, now: Date, until: Date, limit: number): Promise<VerbatimKey[]> {
  return tx.many(sql<VerbatimKey>`
    with due as materialized (
      select response_id, question_id from verbatims
      where tenant_id = ${tx.tenantId} and model_at >= '-infinity' and model_at <= ${now}
      order by model_at desc limit ${limit} for update skip locked)
    update verbatims v set model_at = ${until} from due
    where v.tenant_id = ${tx.tenantId} and v.response_id = due.response_id and v.question_id = due.question_id
    returning v.response_id, v.question_id`)
}

/** Puts off a claim to its next try: `times` after the first, the second and the third. Then it gives up. */
export function putOff(tx: TenantTx, keys: VerbatimKey[], until: Date, times: [Date, Date, Date]): Promise<number> {
  return tx.run(sql`
    update verbatims set model_tries = model_tries + 1,
      model_at = case
        when model_tries = 0 then ${times[0]}::timestamptz
        when model_tries = 1 then ${times[1]}::timestamptz
        when model_tries = 2 then ${times[2]}::timestamptz
      end
    where tenant_id = ${tx.tenantId} and response_id = any(${keys.map((key) => key.response_id)}::uuid[]) and model_at = ${until}`)
}

/** Asks nothing about texts that are due. At most `limit` at a time. */
export function dropUnread(tx: TenantTx, now: Date, limit: number): Promise<number> {
  return tx.run(sql`
    with due as materialized (
      select response_id, question_id from verbatims
      where tenant_id = ${tx.tenantId} and model_at >= '-infinity' and model_at <= ${now}
      order by model_at limit ${limit} for update skip locked)
    update verbatims v set model_at = null from due
    where v.tenant_id = ${tx.tenantId} and v.response_id = due.response_id and v.question_id = due.question_id`)
}

export function deleteTopicsOfTexts(tx: TenantTx, keys: VerbatimKey[]): Promise<number> {
  return tx.run(sql`
    delete from verbatim_topics t
    using unnest(${keys.map((key) => key.response_id)}::uuid[], ${keys.map((key) => key.question_id)}::text[]) as given(response_id, question_id)
    where t.tenant_id = ${tx.tenantId} and t.response_id = given.response_id and t.question_id = given.question_id`)
}
