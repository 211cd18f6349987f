import { type ReadTx, type TenantTx, sql } from '../../../../platform/database/database.ts'
import { ANY_EVENT, ANY_ID } from './ledger-cover.ts'

export interface LedgerRow {
  sealed_id: string
  barrier: number | null
  rolled_id: string
}

export function lockLedger(tx: TenantTx): Promise<LedgerRow | undefined> {
  return tx.maybe(sql<LedgerRow>`
    select sealed_id, barrier, rolled_id from webhook_ledgers where tenant_id = ${tx.tenantId} for update`)
}

export function updateLedger(tx: TenantTx, ledger: LedgerRow): Promise<number> {
  return tx.run(sql`
    update webhook_ledgers
    set sealed_id = ${ledger.sealed_id}, barrier = ${ledger.barrier}, rolled_id = ${ledger.rolled_id}
    where tenant_id = ${tx.tenantId}`)
}

/** The highest id above `from` of a delivery created by then. */
export async function findLastBy(tx: ReadTx, from: string, createdBy: Date): Promise<string | null> {
  const row = await tx.maybe(sql<{ id: string }>`
    select id from webhook_deliveries
    where tenant_id = ${tx.tenantId} and id > ${from} and created_at <= ${createdBy}
    order by id desc limit 1`)
  return row?.id ?? null
}

/** The id before which there are `n` deliveries from `from` on; null when there are fewer below `until`. */
export async function findNth(tx: ReadTx, range: { from: string; until: string; n: number }): Promise<string | null> {
  const row = await tx.maybe(sql<{ id: string }>`
    select id from webhook_deliveries
    where tenant_id = ${tx.tenantId} and id >= ${range.from} and id < ${range.until}
    order by id offset ${range.n} limit 1`)
  return row?.id ?? null
}

/** Counts a span. One statement, so that a delivery and the change that notes it are either both in it or both not. */
export async function insertSpan(tx: TenantTx, range: { from: string; until: string }): Promise<void> {
  const within = sql`tenant_id = ${tx.tenantId} and id >= ${range.from} and id < ${range.until}`
  await tx.many(sql`
    with noted as (
      delete from webhook_ledger_changes
      where tenant_id = ${tx.tenantId} and delivery_id >= ${range.from} and delivery_id < ${range.until}),
    d as materialized (select webhook_id, event, survey_id, created_at from webhook_deliveries where ${within}),
    span as (
      insert into webhook_ledger_spans as s (tenant_id, until_id, first_at, last_at)
      select ${tx.tenantId}::uuid, ${range.until}::uuid,
        coalesce(min(created_at), 'epoch'), coalesce(max(created_at), 'epoch') from d
      returning s.until_id)
    insert into webhook_ledger_counts as c (tenant_id, webhook_id, event, survey_id, until_id, deliveries)
    select ${tx.tenantId}::uuid, ${KEYS}, ${range.until}::uuid, count(*) from d
    group by ${COMBINATIONS} having ${COUNTED}
    returning c.until_id`)
}

/**
 * Adds changes of counted deliveries to the counts of their spans, and drops changes of deliveries that are still to be
 * counted. Returns how many changes it took.
 */
export async function mergeChanges(tx: TenantTx, limit: number): Promise<number> {
  const { n } = await tx.one(sql<{ n: number }>`
    with gone as (
      delete from webhook_ledger_changes c
      where c.tenant_id = ${tx.tenantId} and c.delivery_id = any(array(
        select delivery_id from webhook_ledger_changes
        where tenant_id = ${tx.tenantId} order by delivery_id limit ${limit}))
      returning c.delivery_id, c.change, c.webhook_id, c.event, c.survey_id, c.created_at),
    d as materialized (
      select gone.*, (
        select s.until_id from webhook_ledger_spans s
        where s.tenant_id = ${tx.tenantId} and s.until_id > gone.delivery_id order by s.until_id limit 1) as until_id
      from gone),
    widened as (
      update webhook_ledger_spans s
      set first_at = least(s.first_at, c.first_at), last_at = greatest(s.last_at, c.last_at)
      from (
        select until_id, min(created_at) as first_at, max(created_at) as last_at from d group by until_id) c
      where s.tenant_id = ${tx.tenantId} and s.until_id = c.until_id),
    summed as (
      insert into webhook_ledger_counts (tenant_id, webhook_id, event, survey_id, until_id, deliveries)
      select ${tx.tenantId}::uuid, ${KEYS}, until_id, sum(change) from d where until_id is not null
      group by until_id, ${COMBINATIONS} having ${COUNTED}
      on conflict (tenant_id, webhook_id, event, survey_id, until_id)
      do update set deliveries = webhook_ledger_counts.deliveries + excluded.deliveries
      returning until_id)
    select count(*) as n from gone`)
  return n
}

export function deleteEmptyCounts(tx: TenantTx): Promise<number> {
  return tx.run(sql`delete from webhook_ledger_counts where tenant_id = ${tx.tenantId} and deliveries = 0`)
}

/** Removes spans without a delivery, but for the last: it says how far is counted. The next span fills the gap. */
export function deleteEmptySpans(tx: TenantTx, rolledId: string): Promise<number> {
  return tx.run(sql`
    delete from webhook_ledger_spans s
    where s.tenant_id = ${tx.tenantId} and s.until_id <> ${rolledId} and not exists (
      select from webhook_ledger_counts n
      where n.tenant_id = ${tx.tenantId} and n.webhook_id = ${ANY_ID} and n.event = ${ANY_EVENT}
        and n.survey_id = ${ANY_ID} and n.until_id = s.until_id)`)
}

// Every combination, in which each column has its value or any. No filter asks for deliveries without a survey.
const COMBINATIONS = sql`cube (webhook_id, event, survey_id)`
const KEYS = sql`coalesce(webhook_id, ${sql.lit(ANY_ID)}::uuid), coalesce(event, ${sql.lit(ANY_EVENT)}),
  coalesce(survey_id, ${sql.lit(ANY_ID)}::uuid)`
const COUNTED = sql`not (grouping(survey_id) = 0 and survey_id is null)`
