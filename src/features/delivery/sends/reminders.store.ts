import type { Channel } from '../../../platform/ports/provider.ts'
import { type RawBuilder, type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { NewSendColumn } from './send.entity.ts'

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
  const cells = {
    id: sql`given.id`,
    invitation_id: sql`s.invitation_id`,
    survey_id: sql`s.survey_id`,
    channel: sql`given.channel`,
    reminder: sql`s.reminder + given.distance`,
    first_send_id: sql`s.first_send_id`,
    status: sql`case when given.reason is null then 'queued' else 'skipped' end`,
    reason: sql`given.reason`,
    address_hash: sql`given.address_hash`,
    masked: sql`given.masked`,
    recipient: sql`given.recipient`,
    language: sql`s.language`,
    agent_id: sql`s.agent_id`,
    person_id: sql`case when given.reason is null then s.person_id end`,
    next_attempt_at: sql`given.next_attempt_at`,
    attempts: sql`0`,
    created_at: sql`case when s.by_day then date_bin('1 day', ${now}::timestamptz, 'epoch') else ${now}::timestamptz end`,
    ended_at: sql`case when given.reason is null then null else ${now}::timestamptz end`,
    by_day: sql`s.by_day`,
  } satisfies Record<NewSendColumn, RawBuilder<unknown>>
  return tx.run(sql`
    insert into sends as x (tenant_id, ${sql.raw(Object.keys(cells).join(', '))})
    select s.tenant_id, ${sql.join(Object.values(cells))}
    from unnest(${column('id')}::uuid[], ${column('afterId')}::uuid[], ${column('distance')}::integer[],
      ${column('channel')}::text[], ${column('reason')}::text[], ${column('addressHash')}::text[],
      ${column('masked')}::text[], ${column('recipient')}::text[], ${column('nextAttemptAt')}::timestamptz[])
      as given(id, after_id, distance, channel, reason, address_hash, masked, recipient, next_attempt_at)
    join sends s on s.tenant_id = ${tx.tenantId} and s.id = given.after_id
    returning x.id`)
}
