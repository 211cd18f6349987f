import type { Caches } from './config/caches.ts'
import type { Clock } from './loop/clock.ts'
import {
  systemTransaction,
  tenantReading,
  tenantTransaction,
  type ReadTx,
  type SystemTx,
  type TenantTx,
} from './database/database.ts'
import type { Shared } from './database/database-adapter.ts'
import type { TenantId } from './ids.ts'
import type { Log } from './config/log.ts'
import type { Ports, Wake } from './ports/ports.ts'
import type { Origin, Principal } from './principal.ts'
import type { SecretBox } from './config/secrets.ts'
import type { Tracing } from './ports/tracing.ts'

export type { Origin, Principal }

/** How long rows stay, in days. Null means for ever. */
export type Days = number | null

/** The part of the configuration that services may use. */
export interface Settings {
  production: boolean
  /** The public scheme and host of this server, without a trailing slash. */
  baseUrl: string
  version: string
  signups: 'open' | 'closed'
  /** The outside services that this server has settings for. */
  configured: { email: boolean; sms: boolean; voice: boolean; ai: boolean; storage: boolean }
  webhooks: { httpsOnly: boolean; retrySeconds: number[]; sweepSeconds: number; leaseSeconds: number }
  /** Null keeps rows for ever. A workspace may shorten it. */
  retention: { payloadsDays: Days; attemptsDays: Days; mailDays: Days; responsesDays: Days; sendsDays: Days }
  /** The scheme and host that providers call. Null means those of the request. */
  callbackBaseUrl: string | null
  /** Responses of a survey that one address may begin. Null means without a limit, also of their size. */
  capturePerMinute: number | null
  /** Messages a second for each channel's provider. Null means as fast as it answers. */
  rates: { email: number | null; sms: number; voice: number }
  recoverySweepSeconds: number
}

/** Informs features on lower floors of what happens in a transaction. */
export interface Signals {
  /** Prepares the listeners of a signal. */
  listen<Payload>(signal: Signal<Payload>, scope: Scope, tx: TenantTx): Promise<Handler<Payload>>
  /** Notifies every listener, one after the other. */
  emit<Payload>(signal: Signal<Payload>, scope: Scope, tx: TenantTx, payload: Payload): Promise<void>
}

interface Common {
  ports: Ports
  clock: Clock
  log: Log
  secrets: SecretBox
  settings: Settings
  caches: Caches
  signals: Signals
  /** Null unless the operator has a collector. */
  tracing: Tracing | null
  requestId: string
  origin: Origin | null
}

/** The first argument of every service function: one tenant, one principal, and their tools. */
export interface Scope extends Common {
  tenantId: TenantId
  principal: Principal
  /** The call only looks whether it could be made: the audit log holds nothing of it. */
  onlyLooks: boolean
  /** Runs one transaction. With `shared` it may run more than once and share its commit with others (see `Shared`). */
  tx<T>(work: (tx: TenantTx) => Promise<T>, shared?: Shared): Promise<T>
  /**
   * Look-ups: the database refuses a write. It leaves an Idempotency-Key unmarked, so what fails after it may be tried
   * again. With `snapshot` all statements see the same moment.
   */
  read<T>(work: (tx: ReadTx) => Promise<T>, options?: { snapshot: true }): Promise<T>
  /** Wakes a topic's workers after `tx` has committed. */
  wakeAfter(tx: TenantTx, topic: string, wake: { group: string; ids: string[] }): void
}

/** A scope without a tenant, for sign-up, resolving and sweeps. */
export interface SystemScope extends Common {
  tx<T>(work: (tx: SystemTx) => Promise<T>): Promise<T>
  tenant(tenantId: TenantId, principal: Principal): Scope
}

/** Runs at the start of each transaction that may write. Idempotency marks its key there. */
export type OnTransaction = (tx: TenantTx) => Promise<void>

export function createSystemScope(common: Common): SystemScope {
  return {
    ...common,
    tx: (work) => systemTransaction(common.ports.database, work),
    tenant: (tenantId, principal) => createScope(common, tenantId, principal),
  }
}

export interface ScopeOptions {
  onTransaction?: OnTransaction
  onlyLooks?: boolean
  /** Says that the caller of a call that changes nothing has left, so that no look-up goes on for it. */
  gone?: (() => AbortSignal | undefined) | undefined
}

export function createScope(
  common: Common,
  tenantId: TenantId,
  principal: Principal,
  { onTransaction, onlyLooks = false, gone }: ScopeOptions = {},
): Scope {
  const ofMember = principal.type === 'user' || principal.type === 'api_key'
  return {
    ...pick(common),
    tenantId,
    principal,
    onlyLooks,
    tx(work, shared) {
      if (!onTransaction) return tenantTransaction(common.ports.database, tenantId, work, shared, ofMember)
      // Idempotency marks its key first, and a request with the same key waits for that. So this transaction is not
      // shared.
      const marked = async (tx: TenantTx) => {
        await onTransaction(tx)
        return work(tx)
      }
      return tenantTransaction(common.ports.database, tenantId, marked, undefined, ofMember)
    },
    read: (work, options) =>
      tenantReading(common.ports.database, tenantId, options ? 'snapshot' : 'latest', work, ofMember, gone?.()),
    wakeAfter(tx, topic, { group, ids }) {
      const wake: Wake = { tenantId, group, ids }
      tx.afterCommit(() => common.ports.queue.wake(topic, wake))
    },
  }
}

// The functions of a system scope must not leak into a tenant's scope.
function pick({ ports, clock, log, secrets, settings, caches, signals, tracing, requestId, origin }: Common): Common {
  return { ports, clock, log, secrets, settings, caches, signals, tracing, requestId, origin }
}

class Tried extends Error {}

/** Runs a transaction and takes everything back that it did. Nothing is written, and nothing is woken. */
export async function withoutTrace<T>(scope: Scope, work: (tx: TenantTx) => Promise<T>): Promise<T> {
  const tried: { result?: T } = {}
  await scope
    .tx(async (tx) => {
      tried.result = await work(tx)
      throw new Tried()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Tried)) throw error
    })
  return tried.result as T
}

type SignalName = `${string}.${string}`

/** Something that happens in a transaction. Features on lower floors listen to it, and `features.ts` connects them. */
export interface Signal<Payload> {
  /** A noun and a participle, as in `account.proven`. */
  readonly name: SignalName
  /** Never set. It only carries the type. */
  readonly payload?: Payload
}

/** A listener writes in the transaction of the cause, so both commit together. */
export interface Handler<Payload> {
  handle(payload: Payload): Promise<void>
}

export function signalOf<Payload>(name: SignalName): Signal<Payload> {
  return { name }
}
