import { type ReadTx, type TenantTx, sql } from '../../../../platform/database/database.ts'
import { type LedgerSpan, type RemovedRow, ANY_EVENT, ANY_ID, type DeliveryFilter } from './ledger-cover.ts'

/** From now on the deliveries of this workspace are counted. */
export function insertLedger(tx: TenantTx, now: Date): Promise<number> {
  return tx.run(sql`
    insert into webhook_ledgers (tenant_id, sealed_id, rolled_id, next_at) values (${tx.tenantId}, ${ANY_ID}, ${ANY_ID}, ${now})
    on conflict (tenant_id) do nothing`)
}

/** Notes the deliveries that were removed below the seal. A statement of its own, as for those that arrive. */
export async function insertRemovals(tx: TenantTx, rows: RemovedRow[]): Promise<void> {
  await tx.prepared({
    name: 'insert-ledger-removals',
    text: `insert into webhook_ledger_changes as x (tenant_id, delivery_id, change, webhook_id, event, survey_id, created_at)
     select l.tenant_id, r.id, -1, r.webhook_id, r.event, r.survey_id, r.created_at
     from unnest($2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::timestamptz[])
       as r (id, webhook_id, event, survey_id, created_at)
     join webhook_ledgers l on l.tenant_id = $1 and l.sealed_id > r.id
     returning x.delivery_id`,
    values: [
      tx.tenantId,
      rows.map((row) => row.id),
      rows.map((row) => row.webhook_id),
      rows.map((row) => row.event),
      rows.map((row) => row.survey_id),
      rows.map((row) => row.created_at),
    ],
  })
}

/** The spans in the order of their ids, with their counts under a filter. */
export async function listSpans(tx: ReadTx, filter: DeliveryFilter): Promise<LedgerSpan[]> {
  const rows = await tx.many(sql<Omit<LedgerSpan, 'fromId'>>`
    with changed as (
      select (
          select s.until_id from webhook_ledger_spans s
          where s.tenant_id = ${tx.tenantId} and s.until_id > c.delivery_id order by s.until_id limit 1) as until_id,
        sum(c.change)::int as changed, count(*) filter (where c.change > 0) as arrived
      from webhook_ledger_changes c where c.tenant_id = ${tx.tenantId} and ${conditions(filter)} group by 1)
    select s.until_id as "untilId", s.first_at as "firstAt", s.last_at as "lastAt",
      coalesce(n.deliveries, 0) as deliveries, coalesce(c.changed, 0) as changed, coalesce(c.arrived, 0) as arrived
    from webhook_ledger_spans s
    left join webhook_ledger_counts n on n.tenant_id = ${tx.tenantId}
      and n.webhook_id = ${filter.webhookId ?? ANY_ID} and n.event = ${filter.event ?? ANY_EVENT}
      and n.survey_id = ${filter.surveyId ?? ANY_ID} and n.until_id = s.until_id
    left join changed c on c.until_id = s.until_id
    where s.tenant_id = ${tx.tenantId} order by s.until_id`)
  return rows.map((row, i) => ({ ...row, fromId: rows[i - 1]?.untilId ?? ANY_ID }))
}

function conditions(filter: DeliveryFilter) {
  const all = [sql`true`]
  if (filter.webhookId) all.push(sql`c.webhook_id = ${filter.webhookId}`)
  if (filter.surveyId) all.push(sql`c.survey_id = ${filter.surveyId}`)
  if (filter.event !== undefined) all.push(sql`c.event = ${filter.event}`)
  if (filter.since !== undefined) all.push(sql`c.created_at >= ${filter.since}`)
  if (filter.until !== undefined) all.push(sql`c.created_at < ${filter.until}`)
  return sql.join(all, sql` and `)
}
