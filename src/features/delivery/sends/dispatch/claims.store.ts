import type { Channel } from '../../../../platform/ports/provider.ts'
import { type ReadTx, sql, type TenantTx } from '../../../../platform/database/database.ts'
import type { ColumnsOf } from '../../../../platform/fields/entity.ts'
import type { Due } from '../../../../platform/work/due-tenants.ts'
import type { Id } from '../../../../platform/ids.ts'
import { sends } from '../send.entity.ts'
import type { Settlement } from './outcome.ts'

const CLAIMED_COLUMNS = [
  'id',
  'invitation_id',
  'survey_id',
  'reminder',
  'first_send_id',
  'address_hash',
  'masked',
  'recipient',
  'language',
  'by_day',
  'attempts',
  'status',
  'calling_at',
] as const
const CLAIMED = sends.list('s', CLAIMED_COLUMNS)

export interface ClaimedSend extends Pick<ColumnsOf<typeof sends>, (typeof CLAIMED_COLUMNS)[number]> {
  /** A claim sets it. */
  calling_at: Date
}

export interface SendClaim {
  channel: Channel
  now: Date
  leaseUntil: Date
  leaseToken: string
  limit: number
}

/** Sends that are due, or that their dispatcher left in doubt. */
export function dueSends(channel: Channel, which: 'queued' | 'interrupted', now: Date): Due {
  const isDue =
    which === 'queued'
      ? sql`r.channel = ${channel} and r.status = 'queued' and r.next_attempt_at <= ${now}`
      : sql`r.channel = ${channel} and r.next_attempt_at is not null and r.status <> 'queued'
          and r.lease_until <= ${now}`
  return { table: 'sends', isDue }
}

/**
 * Takes due sends for one dispatcher, in the order of their index: all sends of an invitation are due at one moment.
 * From now on a provider may have them without our knowing; a send that was in doubt before keeps the earlier moment.
 */
export function claimQueued(
  tx: TenantTx,
  { channel, now, leaseUntil, leaseToken, limit }: SendClaim,
): Promise<ClaimedSend[]> {
  return tx.many(sql<ClaimedSend>`
    with due as materialized (
      select id from sends
      where tenant_id = ${tx.tenantId} and channel = ${channel} and status = 'queued' and next_attempt_at <= ${now}
      order by next_attempt_at limit ${limit} for update skip locked)
    update sends s set status = 'calling', calling_at = coalesce(s.calling_at, ${now}), lease_until = ${leaseUntil},
      lease_token = ${leaseToken}
    where s.tenant_id = ${tx.tenantId} and s.id = any(array(select id from due))
    returning ${CLAIMED}`)
}

/**
 * Takes sends whose dispatcher never recorded an outcome. The moment since when they are in doubt stays. Some were
 * answered already, which shows that they arrived.
 */
export function claimInterrupted(
  tx: TenantTx,
  { channel, now, leaseUntil, leaseToken, limit }: SendClaim,
): Promise<ClaimedSend[]> {
  return tx.many(sql<ClaimedSend>`
    with due as materialized (
      select id from sends
      where tenant_id = ${tx.tenantId} and channel = ${channel} and next_attempt_at is not null and status <> 'queued'
        and lease_until <= ${now}
      order by next_attempt_at, id limit ${limit} for update skip locked)
    update sends s set lease_until = ${leaseUntil}, lease_token = ${leaseToken}
    where s.tenant_id = ${tx.tenantId} and s.id = any(array(select id from due))
    returning ${CLAIMED}`)
}

/** The sends of a claim that nobody has ended since, such as an erasure. */
export function listStillClaimed(tx: ReadTx, ids: Id<'send'>[], leaseToken: string): Promise<ClaimedSend[]> {
  return tx.many(sql<ClaimedSend>`
    select ${CLAIMED} from sends s
    where s.tenant_id = ${tx.tenantId} and s.id = any(${ids}::uuid[]) and s.lease_token = ${leaseToken}
      and s.status = 'calling'`)
}

export interface SettledSend extends Settlement {
  id: Id<'send'>
}

/**
 * Settles claimed sends that no provider is known to have. Those whose lease was lost stay as they are; returns the ids
 * of the others.
 */
export async function updateSettled(
  tx: TenantTx,
  leaseToken: string,
  rows: SettledSend[],
  now: Date,
): Promise<Set<Id<'send'>>> {
  const column = <Name extends keyof SettledSend>(name: Name) => rows.map((row) => row[name])
  const touched = await tx.many(sql<{ id: Id<'send'> }>`
    with given as materialized (
      select * from unnest(${column('id')}::uuid[], ${column('status')}::text[], ${column('reason')}::text[],
        ${column('nextAttemptAt')}::timestamptz[], ${column('attempts')}::integer[], ${column('inDoubt')}::boolean[])
        as g(id, status, reason, next_attempt_at, attempts, in_doubt))
    update sends s set status = given.status, reason = given.reason, next_attempt_at = given.next_attempt_at,
      attempts = given.attempts, lease_until = null, lease_token = null,
      calling_at = case when given.in_doubt then s.calling_at else null end,
      ended_at = case when given.status = 'queued' then null else ${now}::timestamptz end
    from given
    where s.tenant_id = ${tx.tenantId} and s.id = given.id and s.lease_token = ${leaseToken} and s.status = 'calling'
    returning s.id`)
  return new Set(touched.map((row) => row.id))
}

/** Whether another send is known to have an id of the provider. */
export async function isProviderIdOfAnother(tx: ReadTx, providerId: string, id: Id<'send'>): Promise<boolean> {
  const others = await tx.many(sql`
    select 1 from sends where tenant_id = ${tx.tenantId} and provider_id = ${providerId} and id <> ${id} limit 1`)
  return others.length > 0
}
