import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { z } from 'zod'
import type { AuditRow } from '../../../platform/audit-entry.ts'
import { formatId } from '../../../platform/ids.ts'
import type { AuditEntry, REASONS } from './audit.schema.ts'

type Presented = z.input<typeof AuditEntry>

export interface Seal {
  seq: number
  previous_hash: string
  hash: string
}

/** The last entry of a chain. */
export type Head = Pick<Seal, 'seq' | 'hash'>

/** A kept `seq` and `hash` that the log must still hold. */
export type Anchor = Head

export interface Break {
  broken_at: number | null
  reason: (typeof REASONS)[number]
}

export function presentEntry(row: AuditRow, seal: Seal | null): Presented {
  return {
    seq: seal?.seq ?? null,
    id: formatId('auditEntry', row.id),
    at: row.at.toISOString(),
    actor: { type: row.actor_type, id: row.actor_id },
    action: row.action,
    target: targetOf(row),
    outcome: row.outcome,
    ip: row.ip,
    request_id: row.request_id,
    changes: row.changes as Presented['changes'],
    previous_hash: seal?.previous_hash ?? null,
    hash: seal?.hash ?? null,
  }
}

/** The seal of the entry that follows `head`. */
export function sealAfter(head: Head | null, row: AuditRow): Seal {
  const seal = { seq: (head?.seq ?? 0) + 1, previous_hash: head?.hash ?? '' }
  return { ...seal, hash: hashOf(row, seal) }
}

/** The fault of the entry that stands after `head`, or null. Its row is null if it is gone. */
export function faultAfter(head: Head | null, seal: Seal, row: AuditRow | null): Break | null {
  const expected = (head?.seq ?? 0) + 1
  if (seal.seq !== expected) return { broken_at: expected, reason: seal.seq < expected ? 'inserted' : 'missing' }
  if (row === null) return { broken_at: expected, reason: 'missing' }
  if (seal.previous_hash !== (head?.hash ?? '')) return { broken_at: expected, reason: 'unlinked' }
  return isIntact(row, seal) ? null : { broken_at: expected, reason: 'edited' }
}

// A half of a target is never written. It must show, because each column stands under the hash.
function targetOf({ target_type: type, target_id: id }: AuditRow): Presented['target'] {
  return type === null && id === null ? null : { type: type ?? '', id: id ?? '' }
}

function hashOf(row: AuditRow, seal: Omit<Seal, 'hash'>): string {
  const { hash: _, ...content } = presentEntry(row, { ...seal, hash: '' })
  return createHash('sha256')
    .update(`${seal.previous_hash}${canonicalize(content)}`)
    .digest('hex')
}

// A value that JSON cannot hold was never sealed.
function isIntact(row: AuditRow, seal: Seal): boolean {
  try {
    return hashOf(row, seal) === seal.hash
  } catch {
    return false
  }
}
