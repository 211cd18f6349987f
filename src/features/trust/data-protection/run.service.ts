import { randomUUID } from 'node:crypto'
import type { Among } from '../../../platform/across-tenants.ts'
import type { SystemTx, TenantTx } from '../../../platform/database.ts'
import { untilNoneIsDue, dueBy, hasDue, listDueTenants } from '../../../platform/due-tenants.ts'
import { formatId } from '../../../platform/ids.ts'
import type { ExternalCopy, Person, PersonalData, PersonalStore } from '../../../platform/personal.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import type { SweepOptions } from '../../../platform/sweeps.ts'
import { readWorkspace } from '../../access/workspaces/workspaces.service.ts'
import type { ArchiveDocument } from './archive-document.ts'
import { zipArchive } from './archive-file.ts'
import { sealParts, storeArchive } from './archives.service.ts'
import { indexOlder } from './contacts.service.ts'
import { keyOf, type Counts, type Plan } from './plan.ts'
import { audited, sealContext } from './requests.service.ts'
import * as store from './requests.store.ts'
import { searchPerson } from './search.service.ts'

const LEASE_MS = 60_000
const BATCH = 100
const MOST_FAILURES = 12
const LONGEST_WAIT_MS = 15 * 60_000
// New rows of a person may come while they are erased. After so many rounds the request waits a moment.
const ROUNDS_AT_ONCE = 5
const ROUNDS_WAIT_MS = 30_000

/** The declarations of all features. */
export interface Declared {
  stores: PersonalStore[]
  parts: PersonalData[]
}

/** Another worker runs the request now, or it was cancelled. */
class LeaseLost extends Error {}

/** Runs due requests, one workspace after another. Returns how many it worked on. */
export async function runRequests(system: SystemScope, options: SweepOptions, declared: Declared): Promise<number> {
  return untilNoneIsDue(
    options,
    (after) => listDueTenants(system, dueBy('privacy_requests', 'next_at', system.clock.now()), after),
    async (tenantId) => {
      const scope = system.tenant(tenantId, { type: 'system' })
      const lease = { token: randomUUID(), until: untilOf(scope) }
      const row = await scope.tx((tx) => store.claimDue(tx, scope.clock.now(), lease))
      if (!row) return 0
      await runOne(scope, options, declared, row, lease)
      return 1
    },
  )
}

export function hasDueRequests(tx: SystemTx, now: Date, among: Among): Promise<boolean> {
  return hasDue(tx, among, dueBy('privacy_requests', 'next_at', now))
}

interface Run {
  scope: Scope
  options: SweepOptions
  declared: Declared
  row: store.RequestRow
  lease: store.Lease
  plan: Plan
}

async function runOne(
  scope: Scope,
  options: SweepOptions,
  declared: Declared,
  row: store.RequestRow,
  lease: store.Lease,
): Promise<void> {
  let known: Plan | undefined
  try {
    if (row.sealed === null) throw new Error('an unfinished request has no plan')
    const plan = JSON.parse(scope.secrets.open(row.sealed, sealContext(row.id))) as Plan
    known = plan
    const run = { scope, options, declared, row, lease, plan }
    if (row.status === 'searching') await search(run)
    if (row.dry_run) return
    if (row.kind === 'erasure') await eraseAll(run)
    else await writeArchive(run)
  } catch (error) {
    if (error instanceof LeaseLost) return
    await fail(scope, row, lease, error, known?.external ?? [])
  }
}

/** Searches the person and keeps what was found. A dry run ends here. */
async function search(run: Run): Promise<void> {
  const { scope, declared, row, plan } = run
  for (const { typed } of declared.parts) {
    // Texts from before the index are read first.
    while (typed && (await indexOlder(scope, typed))) await step(run, async () => {})
  }
  const { person, found, counts } = await searchPerson(scope, declared.stores, plan.person)
  const external = row.kind === 'erasure' ? await listCopies(run, found) : []
  Object.assign(plan, { person, found, external })
  Object.assign(row, { status: 'ready', counts })
  await advance(run, (tx) => save(run, tx, row.dry_run ? 'end' : 'go on'))
}

async function listCopies({ scope, declared }: Run, found: Plan['found']): Promise<ExternalCopy[]> {
  const copies: ExternalCopy[] = []
  for (const part of declared.stores) {
    const { listCopies } = part
    for (const keys of batchesOf(found[keyOf(part)] ?? []))
      if (listCopies) copies.push(...(await scope.read((tx) => listCopies(scope, tx, keys))))
  }
  return copies
}

/** Keeps the person out, erases what was found, and searches again until nothing is left. */
async function eraseAll(run: Run): Promise<void> {
  const { scope, declared, row, plan } = run
  await step(run, async (tx) => {
    for (const { block } of declared.parts) await block?.(scope, tx, plan.person)
    row.status = 'running'
    await save(run, tx, 'go on')
  })
  for (let round = 0; ; round++) {
    for (const part of declared.stores) await eraseStore(run, part)
    const { person, found } = await searchPerson(scope, declared.stores, plan.person)
    if (Object.keys(found).length === 0) break
    if (round === ROUNDS_AT_ONCE) return postpone(run, ROUNDS_WAIT_MS)
    Object.assign(plan, { person, found, rounds: plan.rounds + 1 })
    plan.external.push(...(await listCopies(run, found)))
    await step(run, async (tx) => {
      for (const { block } of declared.parts) await block?.(scope, tx, person)
      await save(run, tx, 'go on')
    })
  }
  await eraseFiles(run)
  const completedAt = scope.clock.now()
  row.status = 'completed'
  row.completed_at = completedAt
  row.certificate = {
    request_id: formatId('privacyRequest', row.id),
    erased: withZeros(row.counts, row.erased),
    external: plan.external,
    re_import_blocked: true,
    completed_at: completedAt.toISOString(),
  }
  await step(run, (tx) => save(run, tx, 'end'))
}

/** Erases what is left of one store. Each batch is counted in the transaction that erases it. */
async function eraseStore(run: Run, part: PersonalStore): Promise<void> {
  const { scope, row, plan } = run
  const { store: name, erase, listCopies: copiesOf } = part
  const place = keyOf(part)
  for (;;) {
    const keys = plan.found[place] ?? []
    if (keys.length === 0) return
    await advance(run, async (tx) => {
      // More may have left since the search, and the erasure forgets who holds a delivery now.
      const left = (await copiesOf?.(scope, tx, keys.slice(0, BATCH))) ?? []
      const known = new Set(plan.external.map(({ kind, target }) => `${kind} ${target}`))
      plan.external.push(...left.filter(({ kind, target }) => !known.has(`${kind} ${target}`)))
      const count = await erase(scope, tx, keys.slice(0, BATCH))
      plan.found[place] = keys.slice(BATCH)
      row.erased = { ...row.erased, [name]: (row.erased[name] ?? 0) + count }
      await save(run, tx, 'go on')
    })
  }
}

/** Mail that a provider of this server keeps as files, and files that still hold deleted rows. */
async function eraseFiles({ scope, declared, row, plan }: Run): Promise<void> {
  const addresses = plan.person.addresses.flatMap(({ kind, address }) => (kind === 'email' && address ? [address] : []))
  const names = await scope.ports.email.eraseCopies?.(addresses)
  const at = scope.clock.now().toISOString()
  for (const name of names ?? []) plan.external.push({ kind: 'email', target: `erased file ${name}`, at })
  const touched = declared.stores.filter(({ store: name }) => (row.erased[name] ?? 0) > 0)
  const tables = [
    ...touched.flatMap(({ table, columns }) => [table, ...tablesIn(columns)]),
    ...declared.parts.flatMap(({ more = {} }) => Object.keys(more)),
  ]
  await scope.ports.database.rewrite?.([...new Set(tables)])
}

/** Collects the rows of all stores as one archive. */
async function writeArchive(run: Run): Promise<void> {
  const { scope, declared, row, plan } = run
  const stores: Record<string, object[]> = {}
  for (const part of declared.stores) {
    const { store: name, export: read, portable } = part
    if (row.kind === 'portability' && portable === false) continue
    for (const keys of batchesOf(plan.found[keyOf(part)] ?? []))
      (stores[name] ??= []).push(...(await scope.read((tx) => read(scope, tx, keys, plan.person))))
    await step(run, async () => {})
  }
  const createdAt = scope.clock.now()
  const document: ArchiveDocument = {
    version: 1,
    request_id: formatId('privacyRequest', row.id),
    kind: row.kind === 'portability' ? 'portability' : 'access',
    workspace: (await scope.read((tx) => readWorkspace(tx))).name,
    created_at: createdAt.toISOString(),
    addresses: addressesOf(plan.person),
    stores: stores as ArchiveDocument['stores'],
  }
  const parts = await sealParts(scope, row.id, await zipArchive(document))
  row.status = 'completed'
  row.completed_at = createdAt
  await step(run, async (tx) => {
    await storeArchive(scope, tx, { id: row.id, person: plan.person, parts })
    await save(run, tx, 'end')
  })
}

/** One transaction under the lease. A step that was lost is done again by whoever has the lease. */
async function step(run: Run, work: (tx: TenantTx) => Promise<unknown>): Promise<void> {
  const { scope, options, row, lease } = run
  if (options.signal.aborted || !(await options.renew())) throw new LeaseLost()
  lease.until = untilOf(scope)
  await scope.tx(async (tx) => {
    if (!(await store.holdLease(tx, row.id, lease))) throw new LeaseLost()
    await work(tx)
  })
}

/** A step that brings the request on. Failures count from here, and not from a step that each try repeats. */
async function advance(run: Run, work: (tx: TenantTx) => Promise<unknown>): Promise<void> {
  const { row } = run
  const before = row.failures
  row.failures = 0
  try {
    await step(run, work)
  } catch (error) {
    row.failures = before
    throw error
  }
}

async function save({ scope, row, plan }: Run, tx: TenantTx, then: 'go on' | 'end'): Promise<void> {
  if (then === 'end' && row.status === 'completed')
    audited(scope, tx, 'complete', row.id, { after: { kind: row.kind, status: row.status } })
  await store.updateProgress(tx, row.id, {
    status: row.status,
    sealed: then === 'end' ? null : scope.secrets.seal(JSON.stringify(plan), sealContext(row.id)),
    counts: row.counts,
    erased: row.erased,
    certificate: row.certificate,
    completedAt: row.completed_at,
    failures: row.failures,
  })
}

async function postpone({ scope, row, lease }: Run, waitMs: number): Promise<void> {
  const nextAt = new Date(scope.clock.now().getTime() + waitMs)
  await scope.tx((tx) => store.postpone(tx, row.id, lease, { failures: 0, nextAt }))
}

async function fail(
  scope: Scope,
  row: store.RequestRow,
  lease: store.Lease,
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
  if (failures >= MOST_FAILURES) return giveUp(scope, row, lease, external)
  const waitMs = Math.min(LONGEST_WAIT_MS, 2 ** failures * 1_000)
  const nextAt = new Date(scope.clock.now().getTime() + waitMs)
  await scope.tx((tx) => store.postpone(tx, row.id, lease, { failures, nextAt }))
}

async function giveUp(
  scope: Scope,
  row: store.RequestRow,
  lease: store.Lease,
  external: ExternalCopy[],
): Promise<void> {
  const now = scope.clock.now()
  const certificate = {
    request_id: formatId('privacyRequest', row.id),
    error: {
      code: 'gave_up',
      detail:
        `${MOST_FAILURES} tries failed in a row. Rows that were erased stay erased. The server's log has the cause, ` +
        'under the id of this request. Mend it, then make the request again.',
    },
    erased: withZeros(row.counts, row.erased),
    external,
    re_import_blocked: true as const,
    completed_at: now.toISOString(),
  }
  await scope.tx((tx) => store.failRequest(tx, row.id, lease, certificate, now))
}

function addressesOf(person: Person): ArchiveDocument['addresses'] {
  return person.addresses.flatMap(({ kind, address }) => (address === null ? [] : [{ kind, address }]))
}

function withZeros(counts: Counts, erased: Counts): Counts {
  return { ...Object.fromEntries(Object.keys(counts).map((name) => [name, 0])), ...erased }
}

function untilOf(scope: Scope): Date {
  return new Date(scope.clock.now().getTime() + LEASE_MS)
}

function* batchesOf(keys: string[]): Generator<string[]> {
  for (let at = 0; at < keys.length; at += BATCH) yield keys.slice(at, at + BATCH)
}

/** `table.column` names another table. */
function tablesIn(columns: string[]): string[] {
  return columns.flatMap((column) => (column.includes('.') ? [column.slice(0, column.indexOf('.'))] : []))
}
