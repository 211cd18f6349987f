import type { Clock } from './clock.ts'
import {
  groupedTransaction,
  systemTransaction,
  tenantSnapshot,
  tenantTransaction,
  tenantWrite,
  type ClosingTx,
  type Grouped,
  type SystemTx,
  type TenantTx,
} from './database.ts'
import type { TenantId } from './ids.ts'
import type { Log } from './log.ts'
import type { Ports, Wake } from './ports.ts'
import type { Principal } from './principal.ts'
import type { SecretBox } from './secrets.ts'

export type { Principal }

/** What is known about the caller of a request; absent in background work. */
export interface Origin {
  ip: string
  userAgent: string
  /** Scheme and host that the caller used, such as `https://feedback.example.com`. */
  base: string
}

/** How long rows stay, in days; null is for ever. */
export type Days = number | null

/** What of the configuration verbs may need. */
export interface Settings {
  production: boolean
  /** Scheme and host that people reach this server by, without a trailing slash. */
  baseUrl: string
  version: string
  signups: 'open' | 'closed'
  webhooks: { httpsOnly: boolean; retrySeconds: number[]; sweepSeconds: number; leaseSeconds: number }
  /** Null keeps for ever; a workspace may ask for less. */
  retention: { payloadsDays: Days; attemptsDays: Days; mailDays: Days; responsesDays: Days; sendsDays: Days }
  /** The scheme and host that providers were given to call; null where they have to be those of the request. */
  callbackBaseUrl: string | null
  /** Messages a second that each channel's provider takes; null: as fast as it answers. */
  rates: { email: number | null; sms: number; voice: number }
  recoverySweepSeconds: number
}

interface Shared {
  ports: Ports
  clock: Clock
  log: Log
  secrets: SecretBox
  settings: Settings
  requestId: string
  origin: Origin | null
}

/** The first argument of every verb: one tenant, one principal, and what they may use. */
export interface Scope extends Shared {
  tenantId: TenantId
  principal: Principal
  tx<T>(work: (tx: TenantTx) => Promise<T>): Promise<T>
  /** Like `tx`, for what many do at once: under load they share one commit. The work may run more than once, and waits for nothing but its statements. */
  groupTx<T>(group: Grouped, work: (tx: TenantTx) => Promise<T>): Promise<T>
  /** For background work: a transaction whose statements all run at its commit leaves in one write with others that are ready. */
  write<T>(plan: (tx: ClosingTx) => T): Promise<T>
  /** A transaction for look-ups only: it leaves an Idempotency-Key unmarked, so what fails after it may be tried again. */
  read<T>(work: (tx: TenantTx) => Promise<T>): Promise<T>
  /** Look-ups whose statements all see the same moment. */
  snapshot<T>(work: (tx: TenantTx) => Promise<T>): Promise<T>
  /** Wakes a topic's workers once `tx` has committed. */
  wakeAfter(tx: TenantTx, topic: string, wake: { group: string; ids: string[] }): void
}

/** Before a tenant is known, or where none is: sign-up, resolving, sweeps. */
export interface SystemScope extends Shared {
  tx<T>(work: (tx: SystemTx) => Promise<T>): Promise<T>
  tenant(tenantId: TenantId, principal: Principal): Scope
}

/** Runs at the start of each of a scope's transactions that may write; idempotency marks its key there. */
export type OnTransaction = (tx: TenantTx) => Promise<void>

export function createSystemScope(shared: Shared): SystemScope {
  return {
    ...shared,
    tx: (work) => systemTransaction(shared.ports.database, work),
    tenant: (tenantId, principal) => createScope(shared, tenantId, principal),
  }
}

export function createScope(shared: Shared, tenantId: TenantId, principal: Principal, onTransaction?: OnTransaction): Scope {
  const tx: Scope['tx'] = (work) =>
    tenantTransaction(shared.ports.database, tenantId, async (tx) => {
      if (onTransaction) await onTransaction(tx)
      return work(tx)
    })
  return {
    ...pick(shared),
    tenantId,
    principal,
    tx,
    groupTx: (group, work) => (onTransaction ? tx(work) : groupedTransaction(shared.ports.database, tenantId, group, work)),
    write: (plan) => tenantWrite(shared.ports.database, tenantId, plan),
    read: (work) => tenantTransaction(shared.ports.database, tenantId, work),
    snapshot: (work) => tenantSnapshot(shared.ports.database, tenantId, work),
    wakeAfter(tx, topic, { group, ids }) {
      const wake: Wake = { tenantId, group, ids }
      tx.afterCommit(() => shared.ports.queue.wake(topic, wake))
    },
  }
}

// A system scope's own verbs must not shine through into a tenant's.
function pick({ ports, clock, log, secrets, settings, requestId, origin }: Shared): Shared {
  return { ports, clock, log, secrets, settings, requestId, origin }
}
