import { isDeepStrictEqual } from 'node:util'
import { entries, type AUDIT_ACTORS, type AuditChange, type AuditOutcome, type AuditRow } from './audit-entry.ts'
import { isLoggable, loggableIn, type Loggable } from './audit-values.ts'
import { recordAudited } from './changes/changes.ts'
import { sql, type Statement, type TenantTx } from './database/database.ts'
import { formatId, newIdAt, parseId, type Id, type IdKind } from './ids.ts'
import type { Principal } from './principal.ts'
import type { Schema } from './schemas/schema-definition.ts'
import type { Scope } from './scope.ts'

/** `<singular noun>.<verb>`, such as `webhook.update`. */
export type AuditAction = `${string}.${string}`

/**
 * The entries of a call that takes effect, in their order, or the reason why it leaves none. A refused call leaves one
 * entry with the first action.
 */
export type AuditRule = readonly [AuditAction, ...AuditAction[]] | { none: string }

export interface AuditActor {
  type: (typeof AUDIT_ACTORS)[number]
  /** Null for the system and for strangers. */
  id: string | null
}

export interface AuditTarget {
  type: string
  id: string
}

export interface AuditEntry {
  action: AuditAction
  target: AuditTarget | null
  outcome?: AuditOutcome
  changes?: AuditChange[]
  /** Default: the principal of the scope. */
  actor?: AuditActor
}

/** Writes an entry with the COMMIT of its transaction. docs/audit.md, "What is recorded" */
export function audit(scope: Scope, tx: TenantTx, entry: AuditEntry): void {
  if (scope.onlyLooks) return
  const { action, target, outcome = 'ok', changes = [], actor = actorOf(scope.principal) } = entry
  const at = scope.clock.now()
  // A respondent acts by a link that was sent to them: their address is left out.
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
  if (outcome === 'ok' && target) recordAudited(scope, tx, action, target)
}

export function auditTarget<K extends IdKind>(kind: K, id: Id<K>): AuditTarget {
  return { type: nounOf(kind), id: formatId(kind, id) }
}

export function auditUser(id: Id<'user'>): AuditActor {
  return { type: 'user', id: formatId('user', id) }
}

/** The change of a thing: its presented forms before and after, or changes by name. */
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
 * Writes the entries of one kind of thing. Its schema says which values may stand in the log; of any other member it
 * holds only the name. A change from `before` to an equal `after` leaves no entry.
 * @param noun of the actions, if it is not that of the kind.
 * @param hides members whose values say something of a person, though their schema does not show it.
 */
export function auditOf<K extends IdKind>(
  kind: K,
  { noun = nounOf(kind), schema, hides = [] }: { noun?: string; schema?: Schema; hides?: string[] } = {},
): Audited<K> {
  const loggable = loggableOf(schema, hides)
  return (scope, tx, verb, id, { before, after, changes, actor } = {}) => {
    const found =
      changes?.map((change) => loggableChange(change, loggable)) ?? changesBetween(before ?? {}, after ?? {}, loggable)
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

/** A change by name, without values that the schema does not allow. Counts, ids and times may stand anywhere. */
function loggableChange(change: AuditChange, loggable: LoggableMembers): AuditChange {
  const inside = Object.hasOwn(loggable, change.path) ? loggable[change.path] : undefined
  const isFree = (value: unknown) => typeof value === 'number' || typeof value === 'boolean' || isInstant(value)
  const { path, from, to } = change
  const isKept = [from, to].every((value) => isFree(value) || isLoggable(inside ?? 'id', value))
  return isKept ? change : { path }
}

function isInstant(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
}

type LoggableMembers = Exclude<Loggable, string>

function loggableOf(schema: Schema | undefined, hides: string[]): LoggableMembers {
  if (!schema) return {}
  const members = loggableIn(schema)
  if (typeof members === 'string') return {}
  return { ...members, ...Object.fromEntries(hides.map((name) => [name, 'none' as const])) }
}

/** The changed paths between two presented forms, in the order of `after`. */
function changesBetween(before: object, after: object, loggable: LoggableMembers): AuditChange[] {
  return pathsBetween(before, after, loggable).filter(({ path }) => !UNNAMED.has(path))
}

function pathsBetween(before: object, after: object, loggable: LoggableMembers): AuditChange[] {
  const [from, to] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return [...new Set([...to.keys(), ...from.keys()])].flatMap((name): AuditChange[] => {
    const [old, now] = [from.get(name) ?? null, to.get(name) ?? null]
    if (isDeepStrictEqual(old, now)) return []
    const inside = Object.hasOwn(loggable, name) ? loggable[name] : undefined
    if (typeof inside === 'object')
      return pathsBetween(asObject(old), asObject(now), inside).map(({ path, ...values }) =>
        // A name that no schema declares may be a caller's own.
        Object.hasOwn(inside, path.split('.', 1)[0] ?? '') ? { path: `${name}.${path}`, ...values } : { path: name },
      )
    if (!isLoggable(inside, old) || !isLoggable(inside, now)) return [{ path: name }]
    return [{ path: name, ...(from.has(name) && { from: old }), to: now }]
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

const { names: NAMES } = entries
const INSERT = `insert into audit_entries (tenant_id, ${NAMES.join(', ')}) values ($1, ${NAMES.map((_, index) => `$${index + 2}`).join(', ')})`

function insertEntry(tx: TenantTx, row: AuditRow): Statement {
  return { name: 'insert-audit-entry', text: INSERT, values: [tx.tenantId, ...entries.parameters(row, NAMES)] }
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
    select ${entries.list('e')}
    from taken t cross join lateral (
      select * from audit_entries where tenant_id = ${tx.tenantId} and id = t.id offset 0) e
    order by e.id`)
}
