import { limitLockWait, type TenantTx } from '../../../platform/database/database.ts'
import type { ExternalCopy, PersonalData, PersonalStore } from '../../../platform/personal.ts'
import type { Scope } from '../../../platform/scope.ts'
import { extend, holdLease, LeaseLost, postpone, type Lease } from '../../../platform/work/leases.ts'
import type { SharedTurn } from '../../../platform/work/shared-turns.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import { withoutLists, type SearchResults } from './search-results.service.ts'
import { deletePieces } from './search-results.store.ts'
import { keyOf, type Lengths, type Plan } from './plan.ts'
import { audited, sealContext } from './requests.service.ts'
import * as store from './requests.store.ts'

/** The declarations of all features. */
export interface Declared {
  stores: PersonalStore[]
  parts: PersonalData[]
}

/** A request that this worker runs now. */
export interface Run {
  scope: Scope
  options: SweepOptions
  declared: Declared
  row: store.RequestRow
  lease: Lease
  plan: Plan
  /** How much of the person's lists stands in pieces. */
  kept: Lengths
  turn: SharedTurn
  /** The moment at which the turn began to read its plan, in milliseconds. */
  begunAt: number
  /** A step of this turn brought the request on. */
  hasAdvanced: boolean
}

/** Others have their turn now. The request is given back as it stands, and goes on in its next turn. */
export class TurnOver extends Error {
  override name = 'TurnOver'
}

/**
 * Between two steps. An archive cannot go on in another run, so it waits in its middle, and begins again where too many
 * do. All else is given back, once it was brought on.
 */
export async function passTurn({ row, turn, hasAdvanced }: Run): Promise<void> {
  if (!turn.isOver()) return
  if (row.status === 'ready' && row.kind !== 'erasure' ? !(await turn.pass()) : hasAdvanced) throw new TurnOver()
}

/** A step after those whose turn it is. */
export async function step(run: Run, work: (tx: TenantTx) => Promise<unknown>): Promise<void> {
  await passTurn(run)
  await write(run, work)
}

const SHORTEST_LOCK_WAIT_MS = 2_000
const LONGEST_LOCK_WAIT_MS = 20_000

/**
 * How long a step waits for a lock that requests of its workspace hold, in milliseconds. Two requests go on at a time,
 * so a young one waits briefly. An old one waits for as long as many imports that follow each other.
 */
export function lockPatience(createdAt: Date, now: Date): number {
  const ageMs = now.getTime() - createdAt.getTime()
  return Math.round(Math.min(LONGEST_LOCK_WAIT_MS, Math.max(SHORTEST_LOCK_WAIT_MS, ageMs / 10)))
}

/** One transaction under the lease. A step that was lost is done again by the process that has the lease. */
export async function write(run: Run, work: (tx: TenantTx) => Promise<unknown>): Promise<void> {
  const { scope, options, row, lease } = run
  if (options.signal.aborted || !(await options.renew())) throw new LeaseLost()
  extend(lease, scope.clock.now())
  await scope.tx(async (tx) => {
    await limitLockWait(tx, lockPatience(row.created_at, scope.clock.now()))
    if (!(await holdLease(tx, store.JOBS, row.id, lease))) throw new LeaseLost()
    await work(tx)
  })
}

/** A step that brings the request on. Failures count from here, and not from a step that each try repeats. */
export async function advance(run: Run, work: (tx: TenantTx) => Promise<unknown>, by = step): Promise<void> {
  const { row } = run
  const before = row.failures
  row.failures = 0
  try {
    await by(run, work)
    run.hasAdvanced = true
  } catch (error) {
    row.failures = before
    throw error
  }
}

/** Records where the request is. `plan` says that the sealed plan has changed too. */
export async function save(
  { scope, row, plan }: Run,
  tx: TenantTx,
  changed: 'progress' | 'plan' | 'end',
): Promise<void> {
  if (changed === 'end') {
    if (row.status === 'completed')
      audited(scope, tx, 'complete', row.id, { after: { kind: row.kind, status: row.status } })
    await deletePieces(tx, row.id)
  }
  if (changed === 'plan') await store.updatePlan(tx, row.id, sealPlan(scope, row.id, plan))
  await store.updateProgress(tx, row.id, {
    status: row.status,
    ends: changed === 'end',
    counts: row.counts,
    erased: row.erased,
    certificate: row.certificate,
    erasedAt: row.erased_at,
    completedAt: row.completed_at,
    failures: row.failures,
  })
}

export async function waitFor({ scope, row, lease }: Run, waitMs: number): Promise<void> {
  const nextAt = new Date(scope.clock.now().getTime() + waitMs)
  await scope.tx((tx) => postpone(tx, store.JOBS, row.id, lease, { failures: 0, nextAt }))
}

function sealPlan(scope: Scope, id: string, plan: Plan): string {
  return scope.secrets.seal(JSON.stringify({ ...plan, person: withoutLists(plan.person) }), sealContext(id))
}

/** Copies that are looked for at once. */
const COPIES = 100

/** Copies of what was found that left the server. */
export async function listCopies({ scope, declared }: Run, found: SearchResults): Promise<ExternalCopy[]> {
  const copies: ExternalCopy[] = []
  for (const part of declared.stores) {
    const { listCopies: read } = part
    const keys = found[keyOf(part)] ?? []
    for (let at = 0; read && at < keys.length; at += COPIES)
      copies.push(...(await scope.read((tx) => read(scope, tx, keys.slice(at, at + COPIES)))))
  }
  return copies
}

/** Names each receiver once. Returns whether one is new. */
export function addCopies({ plan }: Run, copies: ExternalCopy[]): boolean {
  const known = new Set(plan.external.map(({ kind, target }) => `${kind} ${target}`))
  const fresh = copies.filter(({ kind, target }) => !known.has(`${kind} ${target}`))
  plan.external.push(...fresh)
  return fresh.length > 0
}
