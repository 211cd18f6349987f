import { randomUUID } from 'node:crypto'
import type { Id, TenantId } from '../../../../platform/ids.ts'
import type { WakeListener } from '../../../../platform/ports.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { ClaimedRow, Lease } from '../engine/claims.store.ts'

/** A slot of this process's own engine for a row that is about to be stored. */
export interface FreshSlot {
  /** Once the row is stored, under this lease: it is sent at once. */
  send(row: ClaimedRow, leaseToken: string): void
  /** Where it is not. */
  cancel(): void
}

/** An engine that sends fresh rows itself: they are stored with its lease, and nobody has to claim them. */
export interface FreshSender extends WakeListener {
  /** Null where the row has to wait, for its endpoint or for its turn. */
  hold(tenantId: TenantId, webhookId: Id<'webhook'>): FreshSlot | null
}

/** For rows that this process is about to send. */
export function newLease({ clock, settings }: Scope): Lease {
  const now = clock.now()
  return { token: randomUUID(), now, until: new Date(now.getTime() + settings.webhooks.leaseSeconds * 1000) }
}

export function asFreshSender(listener: WakeListener | undefined): FreshSender | null {
  return listener && 'hold' in listener ? (listener as FreshSender) : null
}
