import { isDeepStrictEqual } from 'node:util'
import { sql, type Statement, type TenantTx } from './database.ts'
import { formatId, newIdAt, parseId, type Id, type IdKind } from './ids.ts'
import type { Principal } from './principal.ts'
import type { Scope } from './scope.ts'

/** `<singular noun>.<verb>`, such as `webhook.update`. */
export type AuditAction = `${string}.${string}`
export type AuditOutcome = 'ok' | 'refused' | 'failed'

/**
 * The entries of a call that takes effect, in their order, or the reason why it leaves none. A refused call leaves one
 * entry with the first action.
 */
export type AuditRule = readonly [AuditAction, ...AuditAction[]] | { none: string }

export interface AuditActor {
  type: 'user' | 'api_key' | 'system' | 'provider' | 'anonymous'
  /** Null for the system and for strangers. */
  id: string | null
}

export interface AuditTarget {
  type: string
  id: string
}

/** A changed path. Its values stand here only if they can be neither personal nor secret. */
export interface AuditChange {
  path: string
  from?: unknown
  to?: unknown
}

export interface AuditEntry {
  action: AuditAction
  target: AuditTarget | null
  outcome?: AuditOutcome
  changes?: AuditChange[]
  /** Default: the principal of the scope. */
  actor?: AuditActor
}

/** An entry as it is stored. */
export interface AuditRow {
  id: Id<'auditEntry'>
  at: Date
  actor_type: AuditActor['type']
  actor_id: string | null
  action: string
  target_type: string | null
  target_id: string | null
  outcome: AuditOutcome
  ip: string | null
  request_id: string | null
  changes: AuditChange[]
}

/** Writes an entry with the COMMIT of its transaction. docs/audit.md, "What is recorded" */
export function audit(scope: Scope, tx: TenantTx, entry: AuditEntry): void {
  const { action, target, outcome = 'ok', changes = [], actor = actorOf(scope.principal) } = entry
  const at = scope.clock.now()
  // A respondent acts by a link that was sent to them: their address is nobody's business.
  const origin = scope.principal.type === 'respondent' ? null : scope.origin
  const id = newIdAt('auditEntry', at)
  tx.atCommit(
    insertEntry(tx, {
      id,
      at,
      actor_type: actor.type,
      actor_id: actor.id,
      action,
      target_type: target?.type ?? null,
      target_id: target?.id ?? null,
      outcome,
      ip: origin?.ip ?? null,
      request_id: scope.origin === null ? null : scope.requestId,
      changes,
    }),
  )
  tx.atCommit(insertWaiting(tx, id))
}

export function auditTarget<K extends IdKind>(kind: K, id: Id<K>): AuditTarget {
  return { type: nounOf(kind), id: formatId(kind, id) }
}

export function auditUser(id: Id<'user'>): AuditActor {
  return { type: 'user', id: formatId('user', id) }
}

/** What happened to a thing: its presented forms before and after, or changes by name. */
interface Happened {
  before?: object
  after?: object
  changes?: AuditChange[]
  actor?: AuditActor
}

export type Audited<K extends IdKind> = (
  scope: Scope,
  tx: TenantTx,
  verb: string,
  id: Id<K>,
  happened?: Happened,
) => void

/**
 * Writes the entries of one kind of thing. `shows` names the paths whose values may stand in the log; of any other
 * path it holds only the name. A change from `before` to an equal `after` leaves no entry.
 * @param noun of the actions, if it is not that of the kind.
 */
export function auditOf<K extends IdKind>(
  kind: K,
  { noun = nounOf(kind), shows = [] }: { noun?: string; shows?: readonly string[] } = {},
): Audited<K> {
  return (scope, tx, verb, id, { before, after, changes, actor } = {}) => {
    const found = changes ?? (after ? changesBetween(before ?? {}, after, shows) : [])
    if (before && found.length === 0) return
    const entry = { action: `${noun}.${verb}`, target: auditTarget(kind, id), changes: found } as const
    audit(scope, tx, actor ? { ...entry, actor } : entry)
  }
}

/** The first id among the values of a path, as the target of a refused call. */
export function auditTargetIn(
  kinds: Record<string, IdKind | 'text'>,
  values: Record<string, string>,
): AuditTarget | null {
  for (const [name, kind] of Object.entries(kinds)) {
    const id = kind === 'text' ? null : parseId(kind, values[name] ?? '')
    if (id !== null && kind !== 'text') return auditTarget(kind, id)
  }
  return null
}

// They change with everything else, or tell nothing.
const UNNAMED = new Set(['id', 'created_at', 'updated_at'])

/** The changed paths between two presented forms, in the order of `after`. */
export function changesBetween(before: object, after: object, shows: readonly string[]): AuditChange[] {
  return pathsBetween(before, after, shows).filter(({ path }) => !UNNAMED.has(path))
}

function pathsBetween(before: object, after: object, shows: readonly string[]): AuditChange[] {
  const [from, to] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return [...new Set([...to.keys(), ...from.keys()])].flatMap((name): AuditChange[] => {
    const [old, now] = [from.get(name) ?? null, to.get(name) ?? null]
    if (isDeepStrictEqual(old, now)) return []
    if (shows.includes(name)) return [{ path: name, ...(from.has(name) && { from: old }), to: now }]
    const below = shows.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1))
    if (below.length === 0) return [{ path: name }]
    return pathsBetween(asObject(old), asObject(now), below).map((change) => ({
      ...change,
      path: `${name}.${change.path}`,
    }))
  })
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}

function actorOf(principal: Principal): AuditActor {
  switch (principal.type) {
    case 'user':
      return auditUser(principal.id)
    case 'api_key':
      return { type: 'api_key', id: formatId('apiKey', principal.id) }
    case 'provider':
      return { type: 'provider', id: principal.name }
    case 'respondent':
      return { type: 'anonymous', id: null }
    case 'system':
      return { type: 'system', id: null }
  }
}

/** `api_key` for `apiKey`. */
function nounOf(kind: IdKind): string {
  return kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function insertEntry(tx: TenantTx, row: AuditRow): Statement {
  return {
    name: 'insert-audit-entry',
    text: `insert into audit_entries
      (tenant_id, id, at, actor_type, actor_id, action, target_type, target_id, outcome, ip, request_id, changes)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    values: [
      tx.tenantId,
      row.id,
      row.at,
      row.actor_type,
      row.actor_id,
      row.action,
      row.target_type,
      row.target_id,
      row.outcome,
      row.ip,
      row.request_id,
      JSON.stringify(row.changes),
    ],
  }
}

function insertWaiting(tx: TenantTx, id: Id<'auditEntry'>): Statement {
  return {
    name: 'insert-audit-waiting',
    text: 'insert into audit_waiting (tenant_id, id) values ($1, $2)',
    values: [tx.tenantId, id],
  }
}

/** Takes entries that wait for their seal, oldest first. A second taker waits for the first one's commit. */
export function takeUnsealed(tx: TenantTx, limit: number): Promise<AuditRow[]> {
  return tx.many(sql<AuditRow>`
    with taken as (
      delete from audit_waiting w
      where w.tenant_id = ${tx.tenantId}
        and w.id = any(array(select id from audit_waiting where tenant_id = ${tx.tenantId} order by id limit ${limit}))
      returning w.id)
    select e.id, e.at, e.actor_type, e.actor_id, e.action, e.target_type, e.target_id, e.outcome, e.ip, e.request_id, e.changes
    from taken t cross join lateral (
      select * from audit_entries where tenant_id = ${tx.tenantId} and id = t.id offset 0) e
    order by e.id`)
}
