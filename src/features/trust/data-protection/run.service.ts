import type { Among } from '../../../platform/work/across-tenants.ts'
import { isLockTimeout, LOCKED_MS, type SystemTx } from '../../../platform/database/database.ts'
import { untilNoneIsDueInSlots, dueBy, hasDue, listDueTenants } from '../../../platform/work/due-tenants.ts'
import { formatId, type TenantId } from '../../../platform/ids.ts'
import type { ExternalCopy } from '../../../platform/personal.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import {
  claimDue,
  giveBack,
  LeaseLost,
  MOST_FAILURES,
  newLease,
  postpone,
  retryAt,
  type Lease,
} from '../../../platform/work/leases.ts'
import { shareTurns } from '../../../platform/work/shared-turns.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import { deleteArchives } from './archives.store.ts'
import { writeArchive } from './archiving.service.ts'
import { eraseAll, finish } from './erasing.service.ts'
import { withLists } from './search-results.service.ts'
import { deletePieces } from './search-results.store.ts'
import { withZeros, type Plan } from './plan.ts'
import { sealContext } from './requests.service.ts'
import * as store from './requests.store.ts'
import { keepSearch, searchPerson } from './search.service.ts'
import { save, TurnOver, type Declared, type Run } from './steps.service.ts'

// An archive or an erasure may take minutes. Two go on at a time, each for a turn. Those that wait for one hold
// nothing.
const AT_ONCE = 2
const WORKSPACES = 1_000
/** Most requests are about few rows and end within it. */
const TURN_MS = 250
/** Archives that wait in their middle. Each keeps the ids of its rows and a part in memory. */
const ARCHIVES = 32

/** Runs due requests, one of each workspace at a time. Returns how many it worked on. */
export async function runRequests(system: SystemScope, options: SweepOptions, declared: Declared): Promise<number> {
  const turns = shareTurns(system.clock, AT_ONCE, { most: ARCHIVES, turnMs: TURN_MS })
  const goingOn = new Set<TenantId>()
  return untilNoneIsDueInSlots(
    options,
    { all: WORKSPACES, each: 1 },
    (after) => listDueTenants(system, dueBy('privacy_requests', 'next_at', system.clock.now()), after),
    async (tenantId) => {
      const turn = await turns.begin(tenantId, goingOn.has(tenantId))
      goingOn.delete(tenantId)
      try {
        const ran = await runNext(system.tenant(tenantId, { type: 'system' }), { options, declared, turn })
        if (ran === 'goes on') goingOn.add(tenantId)
        return ran === 'nothing' ? 0 : 1
      } finally {
        turn.end()
      }
    },
  )
}

export function hasDueRequests(tx: SystemTx, now: Date, among: Among): Promise<boolean> {
  return hasDue(tx, among, dueBy('privacy_requests', 'next_at', now))
}

type Ran = 'nothing' | 'ended' | 'goes on'

async function runNext(scope: Scope, given: Pick<Run, 'options' | 'declared' | 'turn'>): Promise<Ran> {
  const now = scope.clock.now()
  const lease = newLease(now)
  const [row] = await scope.tx((tx) => claimDue<store.RequestRow>(tx, store.JOBS, { now, lease }))
  return row ? runOne({ ...given, scope, row, lease, begunAt: now.getTime(), hasAdvanced: false }) : 'nothing'
}

/** One turn of a request. */
async function runOne(given: Omit<Run, 'plan' | 'kept'>): Promise<Ran> {
  const { scope, row, lease, turn } = given
  let known: Plan | undefined
  try {
    if (row.sealed === null) throw new Error('an unfinished request has no plan')
    const plan = JSON.parse(scope.secrets.open(row.sealed, sealContext(row.id))) as Plan
    known = plan
    const { person, kept } = await withLists(scope, row.id, plan.person)
    plan.person = person
    turn.restart()
    const run = { ...given, plan, kept }
    if (row.status === 'searching') await search(run)
    if (row.dry_run) return 'ended'
    if (row.status === 'cleaning') await finish(run)
    else if (row.kind === 'erasure') await eraseAll(run)
    else await writeArchive(run)
  } catch (error) {
    if (error instanceof TurnOver) {
      await scope.tx((tx) => giveBack(tx, store.JOBS, row.id, lease, scope.clock.now()))
      return 'goes on'
    }
    // A long request of the workspace is no failure of this one.
    if (isLockTimeout(error)) {
      const nextAt = new Date(scope.clock.now().getTime() + LOCKED_MS)
      await scope.tx((tx) => postpone(tx, store.JOBS, row.id, lease, { failures: row.failures, nextAt }))
      return 'ended'
    }
    if (!(error instanceof LeaseLost)) await fail(scope, row, lease, error, known?.external ?? [])
  }
  return 'ended'
}

/** Searches the person and keeps what was found. A dry run ends here. */
async function search(run: Run): Promise<void> {
  const { row } = run
  const found = await searchPerson(run)
  Object.assign(row, { status: 'ready', counts: found.counts })
  await keepSearch(run, row.dry_run ? { ...found, found: {} } : found, (tx) =>
    save(run, tx, row.dry_run ? 'end' : 'plan'),
  )
}

async function fail(
  scope: Scope,
  row: store.RequestRow,
  lease: Lease,
  error: unknown,
  external: ExternalCopy[],
): Promise<void> {
  const failures = row.failures + 1
  // An error may quote a row, so only its kind is logged.
  const { name, code } = error as { name?: string; code?: string }
  scope.log.error(
    { request: row.id, error: name, code, failures },
    'a data protection request failed and is tried again',
  )
  const nextAt = retryAt(scope.clock.now(), failures)
  if (!nextAt) return giveUp(scope, row, lease, external)
  await scope.tx((tx) => postpone(tx, store.JOBS, row.id, lease, { failures, nextAt }))
}

async function giveUp(scope: Scope, row: store.RequestRow, lease: Lease, external: ExternalCopy[]): Promise<void> {
  const now = scope.clock.now()
  const certificate = {
    request_id: formatId('privacyRequest', row.id),
    error: {
      code: 'gave_up',
      detail:
        `${MOST_FAILURES} tries failed in a row. Rows that were erased stay erased. The server's log has the cause, ` +
        'under the id of this request. Fix it, then make the request again.',
    },
    erased: withZeros(row.counts, row.erased),
    external,
    re_import_blocked: true as const,
    completed_at: now.toISOString(),
  }
  await scope.tx(async (tx) => {
    if ((await store.failRequest(tx, row.id, lease, certificate, now)) === 0) return
    await deletePieces(tx, row.id)
    await deleteArchives(tx, [row.id])
  })
}
