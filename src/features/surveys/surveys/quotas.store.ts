import { joinArrays, type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'

export interface QuotaCount {
  quota_id: string
  count: number
}

/** Inserts missing counters. */
export function insertCounters(tx: TenantTx, surveyId: Id<'survey'>, quotaIds: string[]): Promise<number> {
  return tx.run(sql`
    insert into quota_counts (tenant_id, survey_id, quota_id, count)
    values ${sql.join(quotaIds.map((quotaId) => sql`(${tx.tenantId}, ${surveyId}, ${quotaId}, 0)`))}
    on conflict do nothing`)
}

/** Starts the counter of a survey's response limit at `count`, the responses completed so far. */
export function insertLimitCounter(tx: TenantTx, surveyId: Id<'survey'>, count: number): Promise<number> {
  return tx.run(sql`
    insert into quota_counts (tenant_id, survey_id, quota_id, count) values (${tx.tenantId}, ${surveyId}, '*', ${count})
    on conflict (tenant_id, survey_id, quota_id) do nothing`)
}

export function deleteLimitCounter(tx: TenantTx, surveyId: Id<'survey'>): Promise<number> {
  return tx.run(
    sql`delete from quota_counts where tenant_id = ${tx.tenantId} and survey_id = ${surveyId} and quota_id = '*'`,
  )
}

export interface QuotaPlace {
  quotaId: string
  limit: number
}

/**
 * Takes a place in each with the COMMIT of this transaction. If one has none left, the transaction fails (see
 * `quotaFullOf`).
 */
export function takePlaces(tx: TenantTx, surveyId: Id<'survey'>, places: QuotaPlace[]): void {
  const values = [
    tx.tenantId,
    places.map(() => surveyId),
    places.map(({ quotaId }) => quotaId),
    places.map(({ limit }) => limit),
  ]
  tx.atCommit({
    name: 'take-quotas',
    text: 'select app.take_quotas($1::uuid, $2::uuid[], $3::text[], $4::integer[])',
    values,
    combine: joinArrays,
  })
}

/** The full quota that made `takePlaces` fail. Null for any other error. */
export function quotaFullOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && error.code === 'QF001' && 'detail' in error
    ? String(error.detail)
    : null
}

/** Locks counters in id order, so that two completions never deadlock. */
export function lockCounters(tx: TenantTx, surveyId: Id<'survey'>, quotaIds: string[]): Promise<QuotaCount[]> {
  return tx.many(sql<QuotaCount>`
    select quota_id, count from quota_counts
    where tenant_id = ${tx.tenantId} and survey_id = ${surveyId} and quota_id = any(${quotaIds}::text[])
    order by quota_id for update`)
}

export function addToCounters(tx: TenantTx, surveyId: Id<'survey'>, quotaIds: string[], by: 1 | -1): Promise<number> {
  return tx.run(sql`
    update quota_counts set count = count + ${by}
    where tenant_id = ${tx.tenantId} and survey_id = ${surveyId} and quota_id = any(${quotaIds}::text[])`)
}

export function listCounters(tx: ReadTx, surveyId: Id<'survey'>): Promise<QuotaCount[]> {
  return tx.prepared<QuotaCount>({
    name: 'list-counters',
    text: `select quota_id, count from quota_counts where tenant_id = $1 and survey_id = $2 and quota_id <> '*' order by quota_id`,
    values: [tx.tenantId, surveyId],
  })
}

export async function hasResponses(tx: ReadTx, surveyId: Id<'survey'>): Promise<boolean> {
  const row = await tx.maybe(sql`
    select 1 from responses where tenant_id = ${tx.tenantId} and survey_id = ${surveyId}
      and survey_id >= '00000000-0000-0000-0000-000000000000' limit 1`)
  return row !== undefined
}

export async function countCompleted(tx: ReadTx, surveyId: Id<'survey'>): Promise<number> {
  const row = await tx.one(sql<{ n: number }>`
    select count(*)::int as n from responses where tenant_id = ${tx.tenantId} and survey_id = ${surveyId} and state = 'completed'
      and (anonymity is null or anonymity not in ('figure', 'part'))`)
  return row.n
}
