import {
  isLockTimeout,
  limitLockWait,
  LOCKED_MS,
  type SystemTx,
  type TenantTx,
} from '../../../platform/database/database.ts'
import { parseId, type Id, type TenantId } from '../../../platform/ids.ts'
import { createScope, type Principal, type Scope, type SystemScope } from '../../../platform/scope.ts'
import type { Among } from '../../../platform/work/across-tenants.ts'
import {
  dueBy,
  hasDue,
  listDueTenants,
  startTurn,
  untilNoneIsDue,
  untilNoneIsDueInSlots,
} from '../../../platform/work/due-tenants.ts'
import {
  claimDue,
  extend,
  giveBack,
  holdLease,
  newLease,
  postpone,
  retryAt,
  LONGEST_WAIT_MS,
  type Lease,
} from '../../../platform/work/leases.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import { actAsMaker, stagePauseNotice } from '../../access/api-keys/makers.service.ts'
import { endIfDone, noteBatch, undoUntil } from './batches.service.ts'
import * as store from './batches.store.ts'
import { KINDS } from './kinds.service.ts'
import { changeRow, undoRow } from './rows.service.ts'
import { openChange } from './words.ts'

/** Rows between two looks at the lease. */
const AT_ONCE = 50
/** Rows of a turn. Then the next workspace has one. */
const MOST_IN_TURN = 200
// A workspace whose lock is held by its requests waits for them.
const SLOTS = { all: 4, each: 1 }

export function hasDueBatches(tx: SystemTx, now: Date, among: Among): Promise<boolean> {
  return hasDue(tx, among, dueBy('batches', 'next_at', now))
}

/** Works on due batches, some workspaces at a time. */
export async function workOnBatches(system: SystemScope, options: SweepOptions): Promise<number> {
  return untilNoneIsDueInSlots(
    options,
    SLOTS,
    (after) => listDueTenants(system, dueBy('batches', 'next_at', system.clock.now()), after),
    async (tenantId: TenantId) => {
      const scope = system.tenant(tenantId, { type: 'system' })
      const now = scope.clock.now()
      const lease = newLease(now)
      const [row] = await scope.tx((tx) => claimDue<store.BatchRow>(tx, store.JOBS, { now, lease }))
      if (!row) return 0
      await workOn(scope, options, row, lease)
      return 1
    },
  )
}

/** One turn of a batch. */
async function workOn(scope: Scope, options: SweepOptions, row: store.BatchRow, lease: Lease): Promise<void> {
  const isUndoing = row.status === 'undoing'
  const isOver = startTurn(scope.clock)
  let done = 0
  const work = { list: row.list, change: openChange(scope.secrets, row) }
  try {
    for (;;) {
      if (options.signal.aborted || !(await options.renew())) return
      extend(lease, scope.clock.now())
      const next = await scope.tx(async (tx) => {
        if (!(await holdLease(tx, store.JOBS, row.id, lease))) return null
        const permission = KINDS[row.list].permission
        const acting = await actAsMaker(scope, tx, row.maker, () => [permission])
        if ('pausedReason' in acting) {
          await pause(scope, tx, row, acting.pausedReason)
          return null
        }
        const rows = await store.listLeft(tx, row.id, isUndoing ? 'undo' : 'do', AT_ONCE)
        if (rows.length === 0) await endIfDone(scope, tx, row.id)
        if (rows.length > 0) noteBatch(scope, tx, row)
        return rows.length === 0 ? null : { rows, principal: principalOf(row.maker, acting.held) }
      })
      if (!next) return
      const maker = withLimitedWait(createScope(scope, scope.tenantId, next.principal))
      for (const one of next.rows) {
        if (options.signal.aborted) return
        if (isUndoing) await undoRow(maker, row.id, one, row.list)
        else await changeRow(maker, row.id, one.row_id, work)
        done += 1
        if (isOver()) break
      }
      if (done < MOST_IN_TURN && !isOver()) continue
      await scope.tx((tx) => giveBack(tx, store.JOBS, row.id, lease, scope.clock.now()))
      return
    }
  } catch (error) {
    if (isLockTimeout(error)) {
      const nextAt = new Date(scope.clock.now().getTime() + LOCKED_MS)
      return void (await scope.tx((tx) => giveBack(tx, store.JOBS, row.id, lease, nextAt)))
    }
    scope.log.error({ err: error, batch: row.id }, 'a batch failed; it goes on later')
    const failures = row.failures + 1
    const now = scope.clock.now()
    const nextAt = retryAt(now, failures) ?? new Date(now.getTime() + LONGEST_WAIT_MS)
    await scope.tx((tx) => postpone(tx, store.JOBS, row.id, lease, { failures, nextAt }))
  }
}

/** A row may be locked by a request of the workspace, and other workspaces wait for this one. */
function withLimitedWait(scope: Scope): Scope {
  const tx: Scope['tx'] = (work) =>
    scope.tx(async (own) => {
      await limitLockWait(own)
      return work(own)
    })
  return { ...scope, tx }
}

type Reason = NonNullable<store.BatchRow['paused_reason']>

async function pause(scope: Scope, tx: TenantTx, row: store.BatchRow, reason: Reason): Promise<void> {
  const undo_until = undoUntil(row, scope.clock.now())
  await store.saveBatch(tx, { ...row, status: 'paused', paused_reason: reason, undo_until, next_at: null })
  noteBatch(scope, tx, row)
  await stagePauseNotice(scope, tx, reason, {
    permission: KINDS[row.list].permission,
    kind: 'batch_paused',
    name: `change of ${row.total} ${row.list}`,
    path: '/app',
  })
}

/** The maker, with what they may do now. */
function principalOf(
  maker: string | null,
  permissions: Extract<Principal, { type: 'user' }>['permissions'],
): Principal {
  const userId = parseId('user', maker ?? '')
  const nobody = '' as never
  if (userId) return { type: 'user', id: userId, sessionId: nobody, roleId: nobody, permissions, ipAllowlist: [] }
  const keyId = parseId('apiKey', maker ?? '') as Id<'apiKey'>
  return { type: 'api_key', id: keyId, makerId: nobody, permissions, ipAllowlist: [] }
}

const BATCHES_AT_ONCE = 5

export function hasLateValues(tx: SystemTx, now: Date, among: Among): Promise<boolean> {
  return hasDue(tx, among, dueBy('batches', 'undo_until', now))
}

export async function forgetLateValues(system: SystemScope, options: SweepOptions): Promise<number> {
  return untilNoneIsDue(
    options,
    (after) => listDueTenants(system, dueBy('batches', 'undo_until', system.clock.now()), after),
    (tenantId) => {
      const scope = system.tenant(tenantId, { type: 'system' })
      return scope.tx((tx) => store.clearExpired(tx, scope.clock.now(), BATCHES_AT_ONCE))
    },
  )
}
