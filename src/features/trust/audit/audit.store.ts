import { entries, type AuditOutcome, type AuditRow } from '../../../platform/audit-entry.ts'
import { type RawBuilder, type ReadTx, sql } from '../../../platform/database/database.ts'
import type { ExportKey } from '../../../platform/export-source.ts'
import { lowestIdAt } from '../../../platform/ids.ts'
import { readFitting, type Fitting } from '../../../platform/fields/fitting.ts'
import { readPage, type Sorted, type PageRequest } from '../../../platform/fields/sorting.ts'
import type { Seal } from './chain.ts'

/** An entry, and its seal if it has one. */
export type SealedRow = AuditRow & { [Name in keyof Seal]: Seal[Name] | null }

export interface AuditFilter {
  actor?: string | undefined
  action?: string | undefined
  target?: string | undefined
  outcome?: AuditOutcome | undefined
  since?: Date | undefined
  until?: Date | undefined
}

const COLUMNS = entries.list('e')
// While its clock goes back, a process makes ids that are later than their entries, by at most this.
const CLOCK_BACK_MS = 10_000

/** Entries that pass a condition on the alias `e`, in the order of the page: as many as fit into 1.5 MB. */
export async function listEntries(
  tx: ReadTx,
  condition: RawBuilder<unknown>,
  page: PageRequest,
): Promise<Fitting<SealedRow & Sorted>> {
  const found = await readPage(page, entries.sorts, 'e', 'all', ({ value, where, order, limit }) =>
    tx.many(sql<Sorted & { id: string }>`
      select e.id, ${value} from audit_entries e
      where e.tenant_id = ${tx.tenantId} and ${condition} and ${where}
      order by ${order} limit ${limit}`),
  )
  const { rows, page: shown } = await readFitting(tx, { table: 'audit_entries', columns: sql`id` }, found, page)
  const known = new Map(
    (
      await listByIds(
        tx,
        rows.map(({ id }) => id),
      )
    ).map((row) => [String(row.id), row]),
  )
  return {
    rows: rows.flatMap(({ id, sort_value }) => {
      const row = known.get(id)
      return row ? [{ ...row, sort_value }] : []
    }),
    page: shown,
  }
}

/** The parameters of the list as a condition on the alias `e`. */
export function conditionOf({ actor, action, target, outcome, since, until }: AuditFilter): RawBuilder<unknown> {
  const noun = action?.endsWith('.*') ? action.slice(0, -2) : null
  const conditions = [
    actor && sql`e.actor_id = ${actor} and e.actor_id >= ''`,
    target && sql`e.target_id = ${target} and e.target_id >= ''`,
    action && !noun && sql`e.action = ${action} and e.action >= ''`,
    noun && sql`e.noun = ${noun} and e.noun >= ''`,
    outcome && (outcome === 'ok' ? sql`e.outcome = 'ok'` : sql`e.outcome = ${outcome} and e.outcome <> 'ok'`),
    since && sql`e.at >= ${since} and e.id >= ${lowestIdAt(since)}`,
    until && sql`e.at < ${until} and e.id < ${lowestIdAt(new Date(until.getTime() + CLOCK_BACK_MS))}`,
  ].flatMap((condition) => (condition ? [condition] : []))
  return sql.join([sql`true`, ...conditions], sql` and `)
}

export function listByIds(tx: ReadTx, ids: string[]): Promise<SealedRow[]> {
  return tx.many(sql<SealedRow>`
    select e.*, s.seq::float8 as seq, s.previous_hash, s.hash
    from (select ${COLUMNS} from audit_entries e where e.tenant_id = ${tx.tenantId} and e.id = any(${ids}::uuid[])) e
    left join lateral (
      select seq, previous_hash, hash from audit_seals where tenant_id = ${tx.tenantId} and entry_id = e.id offset 0) s on true
    order by e.id`)
}

/** Of the whole log, in one statement, so that no seal falls between the counts. */
export function countLog(tx: ReadTx): Promise<{ entries: number; sealed: number; waiting: number }> {
  return tx.one(sql<{ entries: number; sealed: number; waiting: number }>`
    select e.n as entries, s.n as sealed, w.n as waiting
    from (select count(*)::int as n from audit_entries where tenant_id = ${tx.tenantId}) e
    cross join (select count(*)::int as n from audit_seals where tenant_id = ${tx.tenantId}) s
    cross join (select count(*)::int as n from audit_waiting where tenant_id = ${tx.tenantId}) w`)
}

/** @param condition a filter on the alias `e`. */
export function selectKeys(tx: ReadTx, condition: RawBuilder<unknown>): RawBuilder<ExportKey> {
  return sql<ExportKey>`
    select e.id, null::text as member from audit_entries e where e.tenant_id = ${tx.tenantId} and ${condition}`
}
