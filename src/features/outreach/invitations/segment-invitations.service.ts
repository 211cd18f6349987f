import { Problem, unprocessable } from '../../../http/problems/problem.ts'
import type { Among } from '../../../platform/work/across-tenants.ts'
import {
  isLockTimeout,
  limitLockWait,
  LOCKED_MS,
  type ReadTx,
  type SystemTx,
  type TenantTx,
} from '../../../platform/database/database.ts'
import { dueBy, hasDue, listDueTenants, untilNoneIsDueInSlots } from '../../../platform/work/due-tenants.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import { formatId, type Id } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { claimDue, extend, giveBack, newLease, type Lease } from '../../../platform/work/leases.ts'
import { SWEEPS, type SweepOptions } from '../../../platform/work/sweeps.ts'
import { lockWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { readCurrentSurvey, surveyNames } from '../../surveys/surveys/published-surveys.service.ts'
import { findSender } from '../inbound-numbers/inbound-numbers.service.ts'
import { findSegment, type SegmentUse } from '../segments/segments.service.ts'
import { candidatesAmong, type Skipped } from './candidates.service.ts'
import { inviteCandidates, type Plan } from './decisions.service.ts'
import { storeSkips } from './skips.service.ts'
import * as store from './members.store.ts'
import { addDecided, countReasons, type InvitationRow } from './invitations.store.ts'
import { recordChanged } from '../../../platform/changes/changes.ts'

export const MOST_MEMBERS = 100_000
const BATCH = 1_000
// A workspace whose lock is held by its requests waits for them.
const SLOTS = { all: 4, each: 1 }

/**
 * Notes who is in a segment now. Each of them is decided later.
 * @throws Problem 422 `unknown_segment` or `segment_too_large`.
 */
export async function addMembers(
  scope: Scope,
  tx: TenantTx,
  id: Id<'invitation'>,
  segmentId: Id<'segment'>,
): Promise<void> {
  const segment = await findSegment(tx, segmentId)
  if (!segment) throw unprocessable('unknown_segment', [{ path: 'segment_id', message: 'There is no such segment.' }])
  const filter = await compileFilter('people', segment.filter, { tx, alias: 'p', now: scope.clock.now() })
  const members = await store.insertMembers(tx, id, filter, MOST_MEMBERS + 1)
  if (members > MOST_MEMBERS)
    throw unprocessable('segment_too_large', [
      {
        path: 'segment_id',
        message: `An invitation can go to a segment of at most ${MOST_MEMBERS} people. Narrow its filter.`,
      },
    ])
  await store.setUndecided(tx, id, members, members > 0 ? scope.clock.now() : null)
}

/** Decides the next members of an invitation, and counts them in the same transaction. */
export async function decideMembers(
  scope: Scope,
  tx: TenantTx,
  plan: Plan,
  skipped: Skipped,
): Promise<{ accepted: number; deferred: number }> {
  const members = await store.takeMembers(tx, plan.invitationId, BATCH)
  const candidates = await candidatesAmong(scope, tx, plan.channel, members, skipped)
  const counts = await inviteCandidates(scope, tx, plan, candidates, skipped)
  await addDecided(tx, plan.invitationId, { ...counts, skipped: countReasons(skipped), decided: members.length })
  recordChanged(scope, tx, 'invitations', 'updated', 'invitation', [plan.invitationId], plan.surveyId)
  return counts
}

/**
 * Decides all members that are left. Only for a trial, because it is one transaction.
 * @param gone ends it, without those that are left.
 */
export async function decideOthers(
  scope: Scope,
  tx: TenantTx,
  plan: Plan,
  skipped: Skipped,
  { accepted, deferred, gone }: { accepted: number; deferred: number; gone: AbortSignal | undefined },
): Promise<{ accepted: number; deferred: number }> {
  const sum = { accepted, deferred }
  while (!gone?.aborted) {
    const members = await store.takeMembers(tx, plan.invitationId, BATCH)
    if (members.length === 0) break
    const candidates = await candidatesAmong(scope, tx, plan.channel, members, skipped)
    const counts = await inviteCandidates(scope, tx, plan, candidates, skipped)
    sum.accepted += counts.accepted
    sum.deferred += counts.deferred
  }
  return sum
}

/** Goes on with invitations of segments, some workspaces at a time. Returns how many batches it decided. */
export function continueInvitations(system: SystemScope, options: SweepOptions): Promise<number> {
  return untilNoneIsDueInSlots(
    options,
    SLOTS,
    (after) => listDueTenants(system, dueBy('invitations', 'next_at', system.clock.now()), after),
    (tenantId) => continueOne(system.tenant(tenantId, { type: 'system' }), options),
  )
}

export function hasDueInvitations(tx: SystemTx, now: Date, among: Among): Promise<boolean> {
  return hasDue(tx, among, dueBy('invitations', 'next_at', now))
}

/** The invitations that still need a segment. */
export async function listSegmentUses(scope: Scope, tx: ReadTx, id: Id<'segment'>): Promise<SegmentUse[]> {
  const rows = await store.listUnfinished(tx, id, scope.clock.now())
  const names = await surveyNames(tx, [...new Set(rows.map(({ survey_id }) => survey_id))])
  return rows.map((row) => ({
    type: 'invitation',
    id: formatId('invitation', row.id),
    name: names.get(row.survey_id) ?? '',
  }))
}

/** One batch, then the next workspace has its turn. */
async function continueOne(scope: Scope, options: SweepOptions): Promise<number> {
  const now = scope.clock.now()
  const lease = newLease(now)
  const [row] = await scope.tx((tx) => claimDue<InvitationRow>(tx, store.JOBS, { now, lease }))
  if (!row) return 0
  if (options.signal.aborted || !(await options.renew())) return 0
  const end = (at: Date) => scope.tx((tx) => giveBack(tx, store.JOBS, row.id, lease, at))
  try {
    if (await decideBatch(scope, row, lease)) await end(scope.clock.now())
    return 1
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    await end(new Date(scope.clock.now().getTime() + LOCKED_MS))
    return 0
  }
}

/** One transaction under the lease. Returns whether there is more to decide. */
function decideBatch(scope: Scope, row: InvitationRow, lease: Lease): Promise<boolean> {
  return scope.tx(async (tx) => {
    await limitLockWait(tx)
    const workspace = await lockWorkspace(tx)
    extend(lease, scope.clock.now())
    const undecided = await store.holdUndecided(tx, row.id, lease)
    if (undecided === undefined) return false
    const now = scope.clock.now()
    const { id: invitationId, survey_id: surveyId, channel } = row
    const sender = channel === 'email' ? null : ((await findSender(tx, channel, null)) ?? null)
    const survey = await readPlanned(scope, tx, surveyId)
    const sendAt = row.send_at > now ? row.send_at : now
    const plan = { invitationId, surveyId, channel, workspace, sender, sendAt, ...survey }
    const skipped: Skipped = []
    const { accepted, deferred } = await decideMembers(scope, tx, plan, skipped)
    await storeSkips(scope, tx, row, skipped)
    if (accepted + deferred > 0) scope.wakeAfter(tx, SWEEPS, { group: '', ids: [] })
    return undecided > BATCH
  })
}

/** A survey that is gone takes no responses. */
async function readPlanned(scope: Scope, tx: TenantTx, id: Id<'survey'>): Promise<Pick<Plan, 'opening' | 'byDay'>> {
  try {
    const { opening, definition } = await readCurrentSurvey(scope, tx, id)
    return { opening, byDay: definition.privacy === 'anonymous' }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const opening = {
      state: 'closed',
      starts_at: null,
      closes_at: null,
      response_limit: null,
      limit_count: null,
    } as const
    return { opening, byDay: true }
  }
}
