import { claimDue, type Jobs, type Lease } from '../../../platform/work/leases.ts'
import { backlogOf, dueBy, type BacklogRow, type Due } from '../../../platform/work/due-tenants.ts'
import { type ReadTx, sql, type SystemTx, type TenantTx } from '../../../platform/database/database.ts'

/** The encrypted part of a mail that is its own. */
export interface OwnPart {
  id: string
  sealed: string
  /** Of the part that it shares with others. */
  content_id: string | null
}

export interface ClaimedEmail extends OwnPart {
  kind: string
  attempts: number
}

export interface EmailState {
  status: 'pending' | 'sent' | 'failed'
  attempts: number
  nextAttemptAt: Date | null
  lastError: string | null
}

export interface NewMail extends OwnPart {
  kind: string
  is_large: boolean
}

export function insertEmail(tx: TenantTx, email: NewMail, now: Date): Promise<number> {
  return tx.run(sql`
    insert into outgoing_emails (tenant_id, id, kind, sealed, content_id, is_large, status, attempts, next_attempt_at,
      created_at)
    values (${tx.tenantId}, ${email.id}, ${email.kind}, ${email.sealed}, ${email.content_id}, ${email.is_large},
      'pending', 0, ${now}, ${now})`)
}

export function insertContent(tx: TenantTx, { id, sealed }: { id: string; sealed: string }): Promise<number> {
  return tx.run(sql`
    insert into outgoing_email_contents (tenant_id, id, sealed) values (${tx.tenantId}, ${id}, ${sealed})`)
}

export async function readContent(tx: ReadTx, id: string): Promise<string> {
  const { sealed } = await tx.one(sql<{ sealed: string }>`
    select sealed from outgoing_email_contents where tenant_id = ${tx.tenantId} and id = ${id}`)
  return sealed
}

/**
 * Ends mails, and removes the contents that no waiting mail needs any more. The contents are locked first, so that of
 * two mails that end at the same time the later one sees the other's end.
 */
async function endMails(tx: TenantTx, contentIds: string[], update: () => Promise<number>): Promise<number> {
  if (contentIds.length === 0) return update()
  const contents = sql`tenant_id = ${tx.tenantId} and id = any(${contentIds}::uuid[])`
  await tx.many(sql`select id from outgoing_email_contents where ${contents} order by id for update`)
  const ended = await update()
  await tx.run(sql`
    delete from outgoing_email_contents where ${contents} and not exists (
      select from outgoing_emails e
      where e.tenant_id = ${tx.tenantId} and e.content_id = outgoing_email_contents.id and e.next_attempt_at is not null)`)
  return ended
}

export const JOBS: Jobs = {
  table: 'outgoing_emails',
  dueAt: 'next_attempt_at',
  columns: sql.raw('id, kind, sealed, content_id, attempts'),
}

/** Large mails are sent beside the others, so that none of these waits for them. */
export type Weight = 'small' | 'large'

const IS: Record<Weight, string> = { small: 'not is_large', large: 'is_large' }

export async function claimMail(
  tx: TenantTx,
  weight: Weight,
  claim: { now: Date; lease: Lease },
): Promise<ClaimedEmail | undefined> {
  const [email] = await claimDue<ClaimedEmail>(tx, JOBS, { ...claim, only: sql.raw(IS[weight]) })
  return email
}

/** Mail that is due, or whose worker died. */
export function dueMail(weight: Weight, now: Date): Due {
  const { table, isDue } = dueBy('outgoing_emails', 'next_attempt_at', now)
  return { table, isDue: sql`${isDue} and ${sql.raw(IS[weight])}` }
}

/** Records an attempt if its lease still holds. A finished row loses its body. */
export function updateAttempted(
  tx: TenantTx,
  { id, content_id: contentId }: OwnPart,
  leaseToken: string,
  state: EmailState,
  now: Date,
): Promise<number> {
  const finished = state.status !== 'pending'
  return endMails(tx, finished && contentId !== null ? [contentId] : [], () =>
    tx.run(sql`
      update outgoing_emails set status = ${state.status}, attempts = ${state.attempts},
        next_attempt_at = ${state.nextAttemptAt}, last_error = ${state.lastError}, lease_token = null,
        sealed = case when ${finished} then null else sealed end, finished_at = ${finished ? now : null}
      where tenant_id = ${tx.tenantId} and id = ${id} and lease_token = ${leaseToken}`),
  )
}

export function selectBacklog(tx: ReadTx): Promise<{ depth: number; oldest_at: Date | null }> {
  return tx.one(sql<{ depth: number; oldest_at: Date | null }>`
    select count(*)::int as depth, min(created_at) as oldest_at from outgoing_emails
    where tenant_id = ${tx.tenantId} and next_attempt_at is not null`)
}

export function listBacklog(tx: SystemTx): Promise<BacklogRow[]> {
  return tx.many(backlogOf('outgoing_emails', sql`next_attempt_at is not null`, sql`next_attempt_at`))
}

export interface SealedMail extends OwnPart {
  kind: string
  created_at: Date
}

const COLUMNS = sql.raw('id, kind, sealed, content_id, created_at')

/** Mail that still has its body, in id order. */
export function listWaiting(tx: ReadTx, after: string | null, limit: number): Promise<SealedMail[]> {
  return tx.many(sql<SealedMail>`
    select ${COLUMNS} from outgoing_emails
    where tenant_id = ${tx.tenantId} and next_attempt_at is not null and sealed is not null
      and ${after ? sql`id > ${after}` : sql`true`}
    order by id limit ${limit}`)
}

export function listMail(tx: ReadTx, ids: string[]): Promise<SealedMail[]> {
  return tx.many(sql<SealedMail>`
    select ${COLUMNS} from outgoing_emails
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and sealed is not null order by id`)
}

/** Ends mail without sending it. A worker that sends it now cannot record that any more. */
export async function eraseMail(tx: TenantTx, ids: string[], now: Date): Promise<number> {
  const chosen = sql`tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and sealed is not null`
  const shared = await tx.many(sql<{ content_id: string }>`
    select distinct content_id from outgoing_emails where ${chosen} and content_id is not null`)
  const contentIds = shared.map((row) => row.content_id)
  return endMails(tx, contentIds, () =>
    tx.run(sql`
      update outgoing_emails set sealed = null, status = 'failed', last_error = 'erased', next_attempt_at = null,
        lease_token = null, finished_at = ${now}
      where ${chosen}`),
  )
}
