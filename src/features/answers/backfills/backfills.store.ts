import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { PageRequest } from '../../../platform/fields/sorting.ts'

export interface BackfillRow {
  id: Id<'backfill'>
  webhook_id: Id<'webhook'>
  /** Null if the responses were named. */
  survey_id: Id<'survey'> | null
  since: Date | null
  response_ids: Array<Id<'response'>> | null
  until: Date
  event_ids: 'same' | 'new'
  total: number
  done: number
  created_at: Date
  ended_at: Date | null
}

const COLUMNS = sql.raw(
  'id, webhook_id, survey_id, since, response_ids, until, event_ids, total, done, created_at, ended_at',
)

export function insertBackfill(tx: TenantTx, row: Omit<BackfillRow, 'done' | 'ended_at'>): Promise<number> {
  return tx.run(sql`
    insert into webhook_backfills (tenant_id, id, webhook_id, survey_id, since, response_ids, until, event_ids, total, created_at)
    values (${tx.tenantId}, ${row.id}, ${row.webhook_id}, ${row.survey_id}, ${row.since}, ${row.response_ids}::uuid[],
      ${row.until}, ${row.event_ids}, ${row.total}, ${row.created_at})`)
}

export function listBackfills(tx: ReadTx, webhookId: Id<'webhook'>, page: PageRequest): Promise<BackfillRow[]> {
  return tx.many(sql<BackfillRow>`
    select ${COLUMNS} from webhook_backfills
    where tenant_id = ${tx.tenantId} and webhook_id = ${webhookId}
      and ${page.before ? sql`id < ${page.before}` : sql`true`}
    order by id desc limit ${page.limit + 1}`)
}

export function findBackfill(tx: ReadTx, id: Id<'backfill'>): Promise<BackfillRow | undefined> {
  return tx.maybe(
    sql<BackfillRow>`select ${COLUMNS} from webhook_backfills where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

export function addProgress(tx: TenantTx, id: Id<'backfill'>, responses: number): Promise<number> {
  return tx.run(sql`
    update webhook_backfills set done = done + ${responses} where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function endBackfill(tx: TenantTx, id: Id<'backfill'>, now: Date): Promise<number> {
  return tx.run(sql`update webhook_backfills set ended_at = ${now} where tenant_id = ${tx.tenantId} and id = ${id}`)
}

/** Forgets backfills that ended before a moment. */
export function deleteEnded(tx: TenantTx, before: Date): Promise<number> {
  return tx.run(sql`delete from webhook_backfills where tenant_id = ${tx.tenantId} and ended_at < ${before}`)
}
