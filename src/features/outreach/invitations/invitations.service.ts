import type { z } from 'zod'
import { presentPage, type PageRequest } from '../../../http/routes/pagination.ts'
import { notFound } from '../../../http/problems/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import { countIfAsked, EVERY } from '../../../platform/fields/counting.ts'
import { formatId, lowestIdAt, parseId, type Id } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { cancelQueued, countByStatus, listWithSends } from '../../delivery/sends/sends.service.ts'
import { closeConversationsOfSends } from '../conversations/outbound.service.ts'
import type { Invitation, InvitationList, InvitationQuery } from './invitations.schema.ts'
import { deleteMembers } from './members.store.ts'
import { listOldestRows, batchOf, removeByAge, type AgeRange } from '../../../platform/work/retention.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import * as store from './invitations.store.ts'
import { deleteSkips } from './skips.store.ts'
import type { AcceptedSend } from '../../delivery/sends/acceptance.service.ts'
import { queueReminders } from '../../delivery/sends/reminders.service.ts'

export { listInvitationHeads, type InvitationHead } from './invitations.store.ts'

const SKIPS_AT_ONCE = 5_000
const FIRST = lowestIdAt(new Date(0))
const audited = auditOf('invitation')

type Presented = z.input<typeof Invitation>

export async function getInvitation(scope: Scope, id: Id<'invitation'>): Promise<Presented> {
  const [presented] = await scope.read(async (tx) => {
    const row = await store.findInvitation(tx, id)
    return row ? presentAll(scope, tx, [row]) : []
  })
  if (!presented) throw notFound('invitation')
  return presented
}

export async function listInvitations(
  scope: Scope,
  query: z.output<typeof InvitationQuery>,
  asked: PageRequest,
): Promise<z.input<typeof InvitationList>> {
  const surveyId = query.survey_id === undefined ? undefined : parseId('survey', query.survey_id)
  const counted = await countIfAsked(scope, query, {
    table: 'invitations',
    alias: 'i',
    matching: () => store.conditionOf(surveyId),
    all: () => EVERY,
  })
  const found = await scope.read(async (tx) => {
    const { rows, page } = await store.listInvitations(tx, surveyId, asked)
    const presented = new Map((await presentAll(scope, tx, rows)).map((invitation) => [invitation.id, invitation]))
    return presentPage(rows, page, ({ id }) => presented.get(formatId('invitation', id)) as Presented)
  })
  return { ...found, ...counted }
}

/** Cancels all messages that no provider has yet, with reminders. The others arrive. A second call changes nothing. */
export async function cancelInvitation(scope: Scope, id: Id<'invitation'>): Promise<Presented> {
  const [presented] = await scope.tx(async (tx) => {
    const now = scope.clock.now()
    const row = await store.updateCancelled(tx, id, now)
    if (!row) return []
    const ids = await cancelQueued(tx, id, now)
    const cancelled = ids.length + row.undecided
    // An SMS that its provider did not take yet has one.
    await closeConversationsOfSends(tx, ids)
    if (row.undecided > 0) await deleteMembers(tx, id)
    if (row.cancelled_at?.getTime() === now.getTime() || cancelled > 0)
      audited(scope, tx, 'cancel', id, { changes: [{ path: 'cancelled', to: cancelled }] })
    return presentAll(scope, tx, [{ ...row, undecided: 0 }])
  })
  if (!presented) throw notFound('invitation')
  return presented
}

async function presentAll(scope: Scope, tx: ReadTx, rows: store.InvitationRow[]): Promise<Presented[]> {
  const counts = await countByStatus(
    tx,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => {
    const byStatus = Object.fromEntries(
      counts.filter((count) => count.invitation_id === row.id).map(({ status, count }) => [status, count]),
    )
    const total = Object.values(byStatus).reduce((sum, count) => sum + count, 0)
    const waiting = (byStatus['queued'] ?? 0) + (byStatus['calling'] ?? 0)
    return {
      id: formatId('invitation', row.id),
      name: row.name,
      survey_id: formatId('survey', row.survey_id),
      channel: row.channel,
      template_id: row.template_id && formatId('template', row.template_id),
      segment_id: row.segment_id && formatId('segment', row.segment_id),
      status: statusOf(row, { total, waiting }, scope.clock.now()),
      send_at: row.send_at.toISOString(),
      reminders: row.reminders,
      accepted: row.accepted,
      deferred: row.deferred,
      skipped: row.skipped,
      progress: { total, waiting, undecided: row.undecided, by_status: byStatus },
      created_at: row.created_at.toISOString(),
      cancelled_at: row.cancelled_at?.toISOString() ?? null,
    }
  })
}

function statusOf(
  row: store.InvitationRow,
  { waiting }: { total: number; waiting: number },
  now: Date,
): Presented['status'] {
  if (row.cancelled_at) return 'cancelled'
  if (waiting + row.undecided === 0) return 'finished'
  return row.send_at > now ? 'scheduled' : 'sending'
}

/** Removes old invitations that have no sends left. Returns the number. */
export async function removeOldInvitations(system: SystemScope, options: SweepOptions): Promise<number> {
  const { sendsDays } = system.settings.retention
  if (sendsDays === null) return 0
  const oldest = await listOldestRows(system, 'invitations')
  return removeByAge(system, options, {
    oldest,
    daysOf: () => sendsDays,
    removeBatch: (scope, range) =>
      scope.tx(async (tx) => {
        const { old, gone } = await lockOld(tx, range)
        // One invitation can have left out 100,000 people: their rows go first, in batches of their own.
        const skips = gone.length > 0 ? await deleteSkips(tx, gone, SKIPS_AT_ONCE) : 0
        if (skips === SKIPS_AT_ONCE) return { removed: 0, next: range.after ?? FIRST }
        return batchOf(old, range.limit, gone.length > 0 ? await store.deleteInvitations(tx, gone) : 0)
      }),
  })
}

/** The invitations of an age, and those of them that no send needs. */
async function lockOld(tx: TenantTx, range: AgeRange): Promise<{ old: Id<'invitation'>[]; gone: Id<'invitation'>[] }> {
  const old = await store.lockOldInvitations(tx, range)
  const kept = await listWithSends(tx, old)
  return { old, gone: old.filter((id) => !kept.has(id)) }
}

const HOUR_MS = 3_600_000

/** Queues the next reminder of each accepted message, if its invitation has one. */
export async function planReminders(scope: Scope, tx: TenantTx, accepted: AcceptedSend[]): Promise<void> {
  if (accepted.length === 0) return
  const planned = await store.listPlannedReminders(tx, [...new Set(accepted.map((send) => send.invitation_id))])
  const byInvitation = new Map(planned.map((invitation) => [invitation.id, invitation]))
  const due = accepted.flatMap((send) => {
    const invitation = byInvitation.get(send.invitation_id)
    if (!invitation) return []
    let at = send.accepted_at.getTime()
    const steps = invitation.reminders.slice(send.reminder).map(({ after_hours, channel }) => {
      at += after_hours * HOUR_MS
      return { at: new Date(at), channel: channel ?? invitation.channel }
    })
    return steps.length > 0 ? [{ after: send.id, steps }] : []
  })
  await queueReminders(scope, tx, due)
}
