import { type ReadTx, sql, type TenantTx } from '../../../platform/database.ts'
import type { Id } from '../../../platform/ids.ts'

export interface NewReminder {
  id: Id<'send'>
  afterId: Id<'send'>
  recipient: string
  nextAttemptAt: Date
}

export async function listRecipients(tx: ReadTx, ids: Id<'send'>[]): Promise<Map<Id<'send'>, string>> {
  const rows = await tx.many(sql<{ id: Id<'send'>; recipient: string }>`
    select id, recipient from sends
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and recipient is not null`)
  return new Map(rows.map(({ id, recipient }) => [id, recipient]))
}

/** Each follows another message to the same person. */
export function insertReminders(tx: TenantTx, rows: NewReminder[], now: Date): Promise<number> {
  const column = <Name extends keyof NewReminder>(name: Name) => rows.map((row) => row[name])
  return tx.run(sql`
    insert into sends as x (tenant_id, id, invitation_id, survey_id, channel, reminder, first_send_id, status,
      address_hash, masked, recipient, language, agent_id, next_attempt_at, attempts, created_at)
    select s.tenant_id, given.id, s.invitation_id, s.survey_id, s.channel, s.reminder + 1, s.first_send_id, 'queued',
      s.address_hash, s.masked, given.recipient, s.language, s.agent_id, given.next_attempt_at, 0, ${now}
    from unnest(${column('id')}::uuid[], ${column('afterId')}::uuid[], ${column('recipient')}::text[],
      ${column('nextAttemptAt')}::timestamptz[]) as given(id, after_id, recipient, next_attempt_at)
    join sends s on s.tenant_id = ${tx.tenantId} and s.id = given.after_id
    returning x.id`)
}
