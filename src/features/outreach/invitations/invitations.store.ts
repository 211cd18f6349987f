import { json, type RawBuilder, type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Fields } from '../../../platform/filter/entity.ts'
import type { Id } from '../../../platform/ids.ts'
import { listFitting, type Fitting } from '../../../platform/fields/fitting.ts'
import type { PageRequest } from '../../../platform/fields/sorting.ts'
import type { InvitationRow } from './invitation-row.ts'
import type { AgeRange } from '../../../platform/work/retention.ts'

export type { InvitationRow }

const COLUMNS = sql.raw(
  'id, name, survey_id, channel, template_id, send_at, reminders, accepted, deferred, skipped, created_at, cancelled_at, ' +
    'segment_id, undecided',
)

export function insertInvitation(tx: TenantTx, row: InvitationRow, createdBy: string | null): Promise<number> {
  return tx.run(sql`
    insert into invitations (tenant_id, id, name, survey_id, channel, template_id, send_at, reminders, accepted, deferred, skipped, created_by, created_at,
      segment_id, undecided)
    values (${tx.tenantId}, ${row.id}, ${row.name}, ${row.survey_id}, ${row.channel}, ${row.template_id}, ${row.send_at}, ${json(row.reminders)}, ${row.accepted}, ${row.deferred},
      ${json(row.skipped)}, ${createdBy}, ${row.created_at}, ${row.segment_id}, ${row.undecided})`)
}

export interface Decided {
  accepted: number
  deferred: number
  skipped: Record<string, number>
  /** How many members of a segment these are. */
  decided: number
}

export function countReasons(skipped: Array<{ reason: string }>): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(skipped, ({ reason }) => reason)].map(([reason, rows]) => [reason, rows.length]),
  )
}

/** Adds to the counts of an invitation. Once nobody is undecided, it is no longer due. */
export function addDecided(tx: TenantTx, id: Id<'invitation'>, counts: Decided): Promise<number> {
  return tx.run(sql`
    update invitations i set accepted = i.accepted + ${counts.accepted}, deferred = i.deferred + ${counts.deferred},
      skipped = (
        select coalesce(jsonb_object_agg(one.reason, one.n), '{}') from (
          select reason, sum(n::int) as n from (
            select * from jsonb_each_text(i.skipped) union all select * from jsonb_each_text(${json(counts.skipped)})
          ) as both_of (reason, n) group by reason) as one),
      undecided = i.undecided - ${counts.decided},
      next_at = case when i.undecided > ${counts.decided} then i.next_at end,
      lease_token = case when i.undecided > ${counts.decided} then i.lease_token end
    where i.tenant_id = ${tx.tenantId} and i.id = ${id}`)
}

export function findInvitation(tx: ReadTx, id: Id<'invitation'>): Promise<InvitationRow | undefined> {
  return tx.maybe(
    sql<InvitationRow>`select ${COLUMNS} from invitations where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

export function listInvitations(
  tx: ReadTx,
  surveyId: Id<'survey'> | null | undefined,
  page: PageRequest,
): Promise<Fitting<InvitationRow>> {
  return listFitting(tx, { table: 'invitations', columns: COLUMNS }, page, conditionOf(surveyId))
}

/** The survey of the list as a condition. Null is an id that nobody can have. */
export function conditionOf(surveyId: Id<'survey'> | null | undefined): RawBuilder<unknown> {
  return surveyId === undefined ? sql`true` : sql`survey_id = ${surveyId}`
}

/** Marks it as cancelled, once. */
export function updateCancelled(tx: TenantTx, id: Id<'invitation'>, now: Date): Promise<InvitationRow | undefined> {
  return tx.maybe(sql<InvitationRow>`
    update invitations set cancelled_at = coalesce(cancelled_at, ${now}) where tenant_id = ${tx.tenantId} and id = ${id} returning ${COLUMNS}`)
}

/** The part of an invitation that its messages need. */
export type InvitationHead = Pick<InvitationRow, 'id' | 'template_id' | 'reminders' | 'cancelled_at'>

export function listInvitationHeads(tx: ReadTx, ids: Id<'invitation'>[]): Promise<InvitationHead[]> {
  return tx.many(sql<InvitationHead>`
    select id, template_id, reminders, cancelled_at from invitations where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}

/** The reminders of these invitations that were requested and not cancelled. */
export function listPlannedReminders(
  tx: ReadTx,
  ids: Id<'invitation'>[],
): Promise<Pick<InvitationRow, 'id' | 'channel' | 'reminders'>[]> {
  return tx.many(sql<Pick<InvitationRow, 'id' | 'channel' | 'reminders'>>`
    select id, channel, reminders from invitations
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and cancelled_at is null and jsonb_array_length(reminders) > 0`)
}

/** Fields of the invitation that filters on sends test. */
export const fieldsOfSends: Fields = {
  template_id: {
    kind: 'id',
    idKind: 'template',
    sql: ({ tx, alias }) => sql`(
      select i.template_id from invitations i
      where i.tenant_id = ${tx.tenantId} and i.id = ${sql.ref(`${alias}.invitation_id`)})`,
    read: () => undefined,
  },
}

/** Locks invitations from before a time, in id order. */
export async function lockOldInvitations(tx: TenantTx, range: AgeRange): Promise<Id<'invitation'>[]> {
  const rows = await tx.many(sql<{ id: Id<'invitation'> }>`
    select id from invitations
    where tenant_id = ${tx.tenantId} and id < ${range.below} and ${range.after ? sql`id > ${range.after}` : sql`true`}
      and created_at < ${range.before}
    order by id limit ${range.limit} for update skip locked`)
  return rows.map(({ id }) => id)
}

export function deleteInvitations(tx: TenantTx, ids: Id<'invitation'>[]): Promise<number> {
  return tx.run(sql`delete from invitations where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}
