import { sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { SendRow } from './send.entity.ts'

export interface AcceptedSend extends Pick<
  SendRow,
  | 'id'
  | 'invitation_id'
  | 'survey_id'
  | 'person_id'
  | 'channel'
  | 'reminder'
  | 'first_send_id'
  | 'provider_id'
  | 'by_day'
> {
  accepted_at: Date
}

/**
 * Records what a provider took, unless somebody has already; `providerIds` in the order of `ids`. The sends of somebody
 * who was erased get none. In the order of their ids, so that two who record the same sends wait for each other and
 * never both.
 */
export function updateAccepted(
  tx: TenantTx,
  ids: Id<'send'>[],
  providerIds: Array<string | null>,
  at: Date,
): Promise<AcceptedSend[]> {
  return tx.many(sql<AcceptedSend>`
    with taken as materialized (
      select id from sends where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and accepted_at is null
      order by id for update)
    update sends s set reason = null, accepted_at = ${at}, next_attempt_at = null, lease_until = null,
      lease_token = null,
      status = case when s.status in ('queued', 'calling', 'skipped', 'cancelled', 'failed') then 'accepted'
        else s.status end,
      provider_id = case when s.address_hash = '' then null else given.provider_id end,
      calling_at = null, attempts = s.attempts + 1, ended_at = ${at}
    from unnest(${ids}::uuid[], ${providerIds}::text[]) as given (id, provider_id)
    where s.tenant_id = ${tx.tenantId} and s.id = given.id and s.id = any(array(select id from taken))
    returning s.id, s.invitation_id, s.survey_id, s.person_id, s.channel, s.reminder, s.first_send_id, s.accepted_at,
      s.provider_id, s.by_day`)
}

export function updateProviderId(tx: TenantTx, id: Id<'send'>, providerId: string): Promise<number> {
  return tx.run(
    sql`update sends set provider_id = ${providerId}
      where tenant_id = ${tx.tenantId} and id = ${id} and provider_id is null and address_hash <> ''`,
  )
}

/** False when the message had its effect already. A second caller at the same moment waits for the first. */
export async function insertProviderMessage(
  tx: TenantTx,
  message: { id: string; provider: string; messageId: string },
  now: Date,
): Promise<boolean> {
  const rows = await tx.many(sql`
    insert into provider_messages (tenant_id, id, provider, message_id, received_at)
    values (${tx.tenantId}, ${message.id}, ${message.provider}, ${message.messageId}, ${now})
    on conflict (tenant_id, provider, message_id) do nothing returning id`)
  return rows.length === 1
}
