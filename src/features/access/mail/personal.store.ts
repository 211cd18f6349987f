import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'

interface SealedMail {
  id: string
  kind: string
  sealed: string
  created_at: Date
}

const COLUMNS = sql.raw('id, kind, sealed, created_at')

/** Mail that still has its body, in id order. */
export function listWaiting(tx: ReadTx, after: string | null, limit: number): Promise<SealedMail[]> {
  return tx.many(sql<SealedMail>`
    select ${COLUMNS} from outgoing_emails
    where tenant_id = ${tx.tenantId} and next_attempt_at is not null and sealed is not null
      and ${after ? sql`id > ${after}` : sql`true`}
    order by id limit ${limit}`)
}

export function listMail(tx: ReadTx, ids: string[]): Promise<SealedMail[]> {
  return tx.many(sql<SealedMail>`
    select ${COLUMNS} from outgoing_emails
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and sealed is not null order by id`)
}

/** Ends mail without sending it. A worker that sends it now cannot record that any more. */
export function eraseMail(tx: TenantTx, ids: string[], now: Date): Promise<number> {
  return tx.run(sql`
    update outgoing_emails set sealed = null, status = 'failed', last_error = 'erased', next_attempt_at = null,
      lease_token = null, finished_at = ${now}
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and sealed is not null`)
}
