import type { AuditOutcome, AuditRow } from '../../../platform/audit.ts'
import { type RawBuilder, type ReadTx, sql } from '../../../platform/database/database.ts'
import type { ExportKey } from '../../../platform/export-source.ts'
import { lowestIdAt } from '../../../platform/ids.ts'
import type { PageRequest } from '../../../platform/page.ts'
import type { Seal } from './chain.ts'
import { entries } from './entry.entity.ts'

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

const COLUMNS = entries.list()
// While its clock goes back, a process makes ids that are later than their entries, by at most this.
const CLOCK_BACK_MS = 10_000

export function listEntries(tx: ReadTx, filter: AuditFilter, page: PageRequest): Promise<SealedRow[]> {
  const { actor, action, target, outcome, since, until } = filter
  const noun = action?.endsWith('.*') ? action.slice(0, -2) : null
  return tx.many(sql<SealedRow>`
    select e.*, s.seq::float8 as seq, s.previous_hash, s.hash
    from (
      select ${COLUMNS} from audit_entries
      where tenant_id = ${tx.tenantId}
        and ${page.before ? sql`id < ${page.before}` : sql`true`}
        and ${actor ? sql`actor_id = ${actor} and actor_id >= ''` : sql`true`}
        and ${target ? sql`target_id = ${target} and target_id >= ''` : sql`true`}
        and ${action && !noun ? sql`action = ${action} and action >= ''` : sql`true`}
        and ${noun ? sql`noun = ${noun} and noun >= ''` : sql`true`}
        and ${outcome ? (outcome === 'ok' ? sql`outcome = 'ok'` : sql`outcome = ${outcome} and outcome <> 'ok'`) : sql`true`}
        and ${since ? sql`at >= ${since} and id >= ${lowestIdAt(since)}` : sql`true`}
        and ${until ? sql`at < ${until} and id < ${lowestIdAt(new Date(until.getTime() + CLOCK_BACK_MS))}` : sql`true`}
      order by id desc limit ${page.limit + 1}) e
    left join lateral (
      select seq, previous_hash, hash from audit_seals where tenant_id = ${tx.tenantId} and entry_id = e.id offset 0) s on true
    order by e.id desc`)
}

export function listByIds(tx: ReadTx, ids: string[]): Promise<SealedRow[]> {
  return tx.many(sql<SealedRow>`
    select e.*, s.seq::float8 as seq, s.previous_hash, s.hash
    from (select ${COLUMNS} from audit_entries where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])) e
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
