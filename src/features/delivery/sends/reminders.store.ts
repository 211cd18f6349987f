import type { Channel } from '../../../platform/ports/provider.ts'
import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'

export interface NewReminder {
  id: Id<'send'>
  afterId: Id<'send'>
  /** How many reminders after that message it is. */
  distance: number
  channel: Channel
  /** Why it is skipped, if it is. Then it names nobody. */
  reason: string | null
  addressHash: string
  masked: string
  recipient: string | null
  nextAttemptAt: Date | null
}

export function listRecipients(
  tx: ReadTx,
  ids: Id<'send'>[],
): Promise<Array<{ id: Id<'send'>; channel: Channel; recipient: string; by_day: boolean }>> {
  return tx.many(sql<{ id: Id<'send'>; channel: Channel; recipient: string; by_day: boolean }>`
    select id, channel, recipient, by_day from sends
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and recipient is not null`)
}

/** Each follows another message to the same person. */
export function insertReminders(tx: TenantTx, rows: NewReminder[], now: Date): Promise<number> {
  const column = <Name extends keyof NewReminder>(name: Name) => rows.map((row) => row[name])
  return tx.run(sql`
    insert into sends as x (tenant_id, id, invitation_id, survey_id, channel, reminder, first_send_id, status,
      reason, address_hash, masked, recipient, language, agent_id, person_id, next_attempt_at, attempts, created_at,
      ended_at, by_day)
    select s.tenant_id, given.id, s.invitation_id, s.survey_id, given.channel, s.reminder + given.distance,
      s.first_send_id, case when given.reason is null then 'queued' else 'skipped' end, given.reason,
      given.address_hash, given.masked, given.recipient, s.language, s.agent_id,
      case when given.reason is null then s.person_id end, given.next_attempt_at, 0,
      case when s.by_day then date_bin('1 day', ${now}::timestamptz, 'epoch') else ${now}::timestamptz end,
      case when given.reason is null then null else ${now}::timestamptz end, s.by_day
    from unnest(${column('id')}::uuid[], ${column('afterId')}::uuid[], ${column('distance')}::integer[],
      ${column('channel')}::text[], ${column('reason')}::text[], ${column('addressHash')}::text[],
      ${column('masked')}::text[], ${column('recipient')}::text[], ${column('nextAttemptAt')}::timestamptz[])
      as given(id, after_id, distance, channel, reason, address_hash, masked, recipient, next_attempt_at)
    join sends s on s.tenant_id = ${tx.tenantId} and s.id = given.after_id
    returning x.id`)
}
