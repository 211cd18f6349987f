import type { Channel } from '../../../platform/channel.ts'
import { type ReadTx, sql, type TenantTx } from '../../../platform/database.ts'
import type { Id } from '../../../platform/ids.ts'

export interface AcceptedSend {
  id: Id<'send'>
  invitation_id: Id<'invitation'>
  survey_id: Id<'survey'>
  channel: Channel
  reminder: number
  first_send_id: Id<'send'>
  accepted_at: Date
  provider_id: string | null
}

/**
 * Records what a provider took, unless somebody has already; `providerIds` in the order of `ids`. In the order of their
 * ids, so that two who record the same sends wait for each other and never both.
 */
export function updateAccepted(tx: TenantTx, ids: Id<'send'>[], providerIds: Array<string | null>, at: Date): Promise<AcceptedSend[]> {
  return tx.many(sql<AcceptedSend>`
    with taken as materialized (
      select id from sends where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and accepted_at is null
      order by id for update)
    update sends s set status = case when s.status in ('queued', 'calling', 'skipped', 'cancelled', 'failed') then 'accepted' else s.status end, reason = null, accepted_at = ${at}, provider_id = (${providerIds}::text[])[array_position(${ids}::uuid[], s.id)], next_attempt_at = null, lease_until = null, lease_token = null,
      calling_at = null, attempts = s.attempts + 1, ended_at = ${at}
    where s.tenant_id = ${tx.tenantId} and s.id = any(array(select id from taken))
    returning s.id, s.invitation_id, s.survey_id, s.channel, s.reminder, s.first_send_id, s.accepted_at, s.provider_id`)
}

export function updateProviderId(tx: TenantTx, id: Id<'send'>, providerId: string): Promise<number> {
  return tx.run(sql`update sends set provider_id = ${providerId} where tenant_id = ${tx.tenantId} and id = ${id} and provider_id is null`)
}

/** The reminder that follows message `reminder` of each invitation, where one was asked for and nobody cancelled it. */
export function listNextReminders(
  tx: ReadTx,
  invitationIds: Id<'invitation'>[],
): Promise<Array<{ id: Id<'invitation'>; reminders: Array<{ after_hours: number }> }>> {
  return tx.many(sql<{ id: Id<'invitation'>; reminders: Array<{ after_hours: number }> }>`
    select id, reminders from invitations
    where tenant_id = ${tx.tenantId} and id = any(${invitationIds}::uuid[]) and cancelled_at is null and jsonb_array_length(reminders) > 0`)
}

export interface NewReminder {
  id: Id<'send'>
  afterId: Id<'send'>
  recipient: string
  nextAttemptAt: Date
}

export async function listRecipients(tx: ReadTx, ids: Id<'send'>[]): Promise<Map<Id<'send'>, string>> {
  const rows = await tx.many(sql<{ id: Id<'send'>; recipient: string }>`
    select id, recipient from sends where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and recipient is not null`)
  return new Map(rows.map(({ id, recipient }) => [id, recipient]))
}

/** Each follows another message to the same person. */
export function insertReminders(tx: TenantTx, rows: NewReminder[], now: Date): Promise<number> {
  return tx.run(sql`
    insert into sends (tenant_id, id, invitation_id, survey_id, channel, reminder, first_send_id, status, address_hash, masked, recipient, language, agent_id, next_attempt_at, attempts, created_at)
    select s.tenant_id, given.id, s.invitation_id, s.survey_id, s.channel, s.reminder + 1, s.first_send_id, 'queued', s.address_hash, s.masked, given.recipient, s.language, s.agent_id,
      given.next_attempt_at, 0, ${now}
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ afterId }) => afterId)}::uuid[], ${rows.map(({ recipient }) => recipient)}::text[],
      ${rows.map(({ nextAttemptAt }) => nextAttemptAt)}::timestamptz[]) as given(id, after_id, recipient, next_attempt_at)
    join sends s on s.tenant_id = ${tx.tenantId} and s.id = given.after_id
    returning id`)
}
