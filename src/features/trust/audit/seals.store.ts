import { entries, type AuditRow } from '../../../platform/audit-entry.ts'
import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Due } from '../../../platform/work/due-tenants.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Head, Seal } from './chain.ts'

/** A seal with its entry, whose columns are null if it is gone. */
export type LinkRow = Seal & { [Name in keyof AuditRow]: AuditRow[Name] | null }

/** Entries without a seal. */
export const WAITING: Due = { table: 'audit_waiting', isDue: sql`true` }

export function findHead(tx: ReadTx): Promise<Head | undefined> {
  return tx.maybe(sql<Head>`
    select seq::float8 as seq, hash from audit_seals where tenant_id = ${tx.tenantId} order by seq desc limit 1`)
}

export async function insertSeals(tx: TenantTx, seals: Array<Seal & { entryId: Id<'auditEntry'> }>): Promise<void> {
  await tx.many(sql`
    insert into audit_seals as s (tenant_id, seq, entry_id, previous_hash, hash)
    select ${tx.tenantId}::uuid, n.seq, n.entry_id, n.previous_hash, n.hash
    from unnest(${seals.map(({ seq }) => seq)}::bigint[], ${seals.map(({ entryId }) => entryId)}::uuid[],
      ${seals.map(({ previous_hash }) => previous_hash)}::text[], ${seals.map(({ hash }) => hash)}::text[])
      as n (seq, entry_id, previous_hash, hash)
    returning s.seq`)
}

/** Seals in the order of their numbers, with their entries. */
export function listLinks(tx: ReadTx, after: number | null, limit: number): Promise<LinkRow[]> {
  return tx.many(sql<LinkRow>`
    select s.seq::float8 as seq, s.previous_hash, s.hash, ${entries.list('e')}
    from (
      select seq, entry_id, previous_hash, hash from audit_seals
      where tenant_id = ${tx.tenantId} and ${after === null ? sql`true` : sql`seq > ${after}`}
      order by seq limit ${limit}) s
    left join lateral (select * from audit_entries where tenant_id = ${tx.tenantId} and id = s.entry_id offset 0) e on true
    order by s.seq`)
}
