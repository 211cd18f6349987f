import type { Channel } from '../../../platform/channel.ts'
import { json, type ReadTx, sql, type TenantTx } from '../../../platform/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { PageRequest } from '../../../platform/page.ts'

export interface InvitationRow {
  id: Id<'invitation'>
  survey_id: Id<'survey'>
  channel: Channel
  template_id: Id<'template'> | null
  send_at: Date
  reminders: Array<{ after_hours: number }>
  accepted: number
  deferred: number
  skipped: Record<string, number>
  created_at: Date
  cancelled_at: Date | null
}

const COLUMNS = sql.raw(
  'id, survey_id, channel, template_id, send_at, reminders, accepted, deferred, skipped, created_at, cancelled_at',
)

export function insertInvitation(tx: TenantTx, row: InvitationRow, createdBy: string | null): Promise<number> {
  return tx.run(sql`
    insert into invitations (tenant_id, id, survey_id, channel, template_id, send_at, reminders, accepted, deferred, skipped, created_by, created_at)
    values (${tx.tenantId}, ${row.id}, ${row.survey_id}, ${row.channel}, ${row.template_id}, ${row.send_at}, ${json(row.reminders)}, ${row.accepted}, ${row.deferred},
      ${json(row.skipped)}, ${createdBy}, ${row.created_at})`)
}

export function findInvitation(tx: ReadTx, id: Id<'invitation'>): Promise<InvitationRow | undefined> {
  return tx.maybe(
    sql<InvitationRow>`select ${COLUMNS} from invitations where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

export function listInvitations(
  tx: ReadTx,
  surveyId: Id<'survey'> | undefined,
  page: PageRequest,
): Promise<InvitationRow[]> {
  return tx.many(sql<InvitationRow>`
    select ${COLUMNS} from invitations
    where tenant_id = ${tx.tenantId} and ${surveyId ? sql`survey_id = ${surveyId}` : sql`true`} and ${page.before ? sql`id < ${page.before}` : sql`true`}
    order by id desc limit ${page.limit + 1}`)
}

/** Marks it as cancelled, once. */
export function updateCancelled(tx: TenantTx, id: Id<'invitation'>, now: Date): Promise<InvitationRow | undefined> {
  return tx.maybe(sql<InvitationRow>`
    update invitations set cancelled_at = coalesce(cancelled_at, ${now}) where tenant_id = ${tx.tenantId} and id = ${id} returning ${COLUMNS}`)
}

/** The part of an invitation that its messages need. */
export type InvitationHead = Pick<InvitationRow, 'id' | 'template_id' | 'cancelled_at'>

export function listInvitationHeads(tx: ReadTx, ids: Id<'invitation'>[]): Promise<InvitationHead[]> {
  return tx.many(sql<InvitationHead>`
    select id, template_id, cancelled_at from invitations where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}

/** The reminders of these invitations that were requested and not cancelled. */
export function listPlannedReminders(
  tx: ReadTx,
  ids: Id<'invitation'>[],
): Promise<Pick<InvitationRow, 'id' | 'reminders'>[]> {
  return tx.many(sql<Pick<InvitationRow, 'id' | 'reminders'>>`
    select id, reminders from invitations
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and cancelled_at is null and jsonb_array_length(reminders) > 0`)
}
