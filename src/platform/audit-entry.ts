import { BY_ID, declareEntity, type RowOf } from './fields/entity.ts'
import { date, idOf, jsonOf, oneOf, orNull, text } from './fields/values.ts'

export const AUDIT_ACTORS = ['user', 'api_key', 'system', 'provider', 'anonymous'] as const
export const AUDIT_OUTCOMES = ['ok', 'refused', 'failed'] as const
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number]

/** A changed path. Its values stand here only if they can be neither personal nor secret. */
export interface AuditChange {
  path: string
  from?: unknown
  to?: unknown
}

// Entries hold ids and settings of a workspace. An erasure that took one would break the chain.
const KEPT = { erased: 'kept' } as const

/**
 * Every field of an entry of the audit log, which every feature writes. Its actor and target are ids, as the list takes
 * them.
 */
export const entries = declareEntity(
  { table: 'audit_entries', rows: 'stay' },
  {
    seq: { within: 'audit_seals', shown: 'number' },
    id: { is: idOf('auditEntry'), shown: true, filter: BY_ID, ...KEPT },
    at: { is: date, shown: true, filter: true, sort: true, ...KEPT },
    actor: { within: 'actor_id', shown: 'json' },
    actor_type: { is: oneOf(AUDIT_ACTORS), ...KEPT },
    actor_id: { is: orNull(text), filter: { as: 'actor' }, ...KEPT },
    action: { is: text, shown: true, filter: true, ...KEPT },
    target: { within: 'target_id', shown: 'json' },
    target_type: { is: orNull(text), ...KEPT },
    target_id: { is: orNull(text), filter: { as: 'target' }, ...KEPT },
    outcome: { is: oneOf(AUDIT_OUTCOMES), shown: true, filter: true, ...KEPT },
    ip: { is: orNull(text), shown: true, ...KEPT },
    request_id: { is: orNull(text), shown: true, ...KEPT },
    changes: { is: jsonOf<AuditChange[]>(), shown: true, ...KEPT },
    noun: { is: orNull(text), apart: true, ...KEPT },
    previous_hash: { within: 'audit_seals', shown: 'text' },
    hash: { within: 'audit_seals', shown: 'text' },
  },
)

/** An entry as it is stored. */
export type AuditRow = RowOf<typeof entries>
