import { type RawBuilder, type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Jobs, Lease } from '../../../platform/work/leases.ts'
import type { Id } from '../../../platform/ids.ts'
import type { InvitationRow } from './invitation-row.ts'

/** Notes the people whom a condition on `p` chooses now, in the order of their ids. Returns how many they are. */
export function insertMembers(
  tx: TenantTx,
  id: Id<'invitation'>,
  condition: RawBuilder<unknown>,
  limit: number,
): Promise<number> {
  return tx.run(sql`
    insert into segment_invitees (tenant_id, invitation_id, position, person_id)
    select ${tx.tenantId}::uuid, ${id}::uuid, (row_number() over (order by chosen.id))::integer - 1, chosen.id
    from (select p.id from people p where p.tenant_id = ${tx.tenantId} and ${condition} order by p.id limit ${limit})
      as chosen
    on conflict do nothing`)
}

export function setUndecided(
  tx: TenantTx,
  id: Id<'invitation'>,
  members: number,
  nextAt: Date | null,
): Promise<number> {
  return tx.run(sql`
    update invitations set undecided = ${members}, next_at = ${nextAt} where tenant_id = ${tx.tenantId} and id = ${id}`)
}

/** Takes the next members out, so that each is decided once. */
export function takeMembers(
  tx: TenantTx,
  id: Id<'invitation'>,
  limit: number,
): Promise<Array<{ position: number; person_id: Id<'person'> }>> {
  return tx.many(sql<{ position: number; person_id: Id<'person'> }>`
    with taken as (
      delete from segment_invitees m
      where m.tenant_id = ${tx.tenantId} and m.invitation_id = ${id} and m.position = any(array(
        select position from segment_invitees where tenant_id = ${tx.tenantId} and invitation_id = ${id}
        order by position limit ${limit}))
      returning m.position, m.person_id)
    select position, person_id from taken order by position`)
}

/** Forgets the members of a cancelled invitation. */
export async function deleteMembers(tx: TenantTx, id: Id<'invitation'>): Promise<void> {
  await tx.run(sql`delete from segment_invitees where tenant_id = ${tx.tenantId} and invitation_id = ${id}`)
  await tx.run(sql`
    update invitations set undecided = 0, next_at = null, lease_token = null
    where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export const JOBS: Jobs = { table: 'invitations', columns: sql.raw('id, survey_id, channel, send_at') }

/** Extends a lease, and returns how many members are undecided. Undefined if the lease was lost. */
export async function holdUndecided(tx: TenantTx, id: Id<'invitation'>, lease: Lease): Promise<number | undefined> {
  const row = await tx.maybe(sql<{ undecided: number }>`
    update invitations set next_at = ${lease.until}
    where tenant_id = ${tx.tenantId} and id = ${id} and lease_token = ${lease.token} and undecided > 0
    returning undecided`)
  return row?.undecided
}

/** Invitations of a segment that are scheduled, or still decide. */
export function listUnfinished(
  tx: ReadTx,
  id: Id<'segment'>,
  now: Date,
): Promise<Array<Pick<InvitationRow, 'id' | 'survey_id'>>> {
  return tx.many(sql<Pick<InvitationRow, 'id' | 'survey_id'>>`
    select id, survey_id from invitations
    where tenant_id = ${tx.tenantId} and segment_id = ${id} and segment_id is not null and cancelled_at is null
      and (undecided > 0 or send_at > ${now})
    order by id desc limit 20`)
}
