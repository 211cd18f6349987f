import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import { sends, type SendRow } from './send.entity.ts'

/** With the sealed recipient, and the moment since when a provider may have it. */
export type PersonalSend = SendRow & { recipient: string | null; calling_at: Date | null }

const COLUMNS = sql`${sends.list('s')}, s.recipient, s.calling_at`

/** Sends to these addresses and people, and those that led to these responses. An erased send has no hash. */
export function listOfPerson(
  tx: ReadTx,
  { hashes, responseIds, personIds }: { hashes: string[]; responseIds: string[]; personIds: string[] },
): Promise<PersonalSend[]> {
  return tx.many(sql<PersonalSend>`
    select ${COLUMNS} from sends s
    where s.tenant_id = ${tx.tenantId} and s.address_hash = any(${hashes}::text[]) and s.address_hash <> ''
    union
    select ${COLUMNS} from sends s
    where s.tenant_id = ${tx.tenantId} and s.response_id = any(${responseIds}::uuid[]) and s.response_id is not null
      and s.address_hash <> ''
    union
    select ${COLUMNS} from sends s
    where s.tenant_id = ${tx.tenantId} and s.person_id = any(${personIds}::uuid[]) and s.person_id is not null
      and s.address_hash <> ''
    order by id`)
}

export function listSends(tx: ReadTx, ids: string[]): Promise<PersonalSend[]> {
  return tx.many(
    sql<PersonalSend>`select ${COLUMNS} from sends s where s.tenant_id = ${tx.tenantId} and s.id = any(${ids}::uuid[]) order by s.id`,
  )
}

/** Locked in the order of their ids, so that reports about them wait. */
export async function lockProviderIds(tx: TenantTx, ids: string[]): Promise<string[]> {
  const rows = await tx.many(sql<{ provider_id: string | null }>`
    select provider_id from sends where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) order by id for update`)
  return rows.flatMap(({ provider_id }) => provider_id ?? [])
}

/** Removes the person. Messages that were not sent are cancelled. */
export function eraseSends(tx: TenantTx, ids: string[], now: Date): Promise<number> {
  return tx.run(sql`
    update sends set ${sends.erasing}, next_attempt_at = null, lease_until = null, lease_token = null, calling_at = null,
      status = case when status in ('queued', 'calling') then 'cancelled' else status end,
      ended_at = coalesce(ended_at, ${now})
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and address_hash <> ''`)
}
