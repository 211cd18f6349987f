import type { Id, TenantId } from '../../../../platform/ids.ts'
import type { WakeListener } from '../../../../platform/ports/ports.ts'

/** A delivery under a lease of this process, with all that its attempt needs. */
export interface LeasedDelivery {
  id: Id<'delivery'>
  leaseToken: string
  webhook_id: Id<'webhook'>
  attempts: number
  event_id: Id<'event'>
  /** These three are null when the event is gone. */
  event: string | null
  event_created_at: Date | null
  data: string | null
  /** Null when the webhook is gone. */
  url: string | null
  secret: string | null
  previous_secret: string | null
  previous_secret_expires_at: Date | null
  /** Sealed. */
  headers: string | null
  last_delivered_at: Date | null
  failing_since: Date | null
  /** Somebody tries the webhook. It counts in no figure. */
  test: boolean
  include_text: boolean
  include_custom_data: boolean
  include_answers: boolean
}

/** A slot of this process's engine, held for a row that is about to be stored. */
export interface FreshSlot {
  /** The row is stored under a lease: it is sent at once. */
  send(row: LeasedDelivery): void
  /** The row was not stored, or not under a lease. */
  cancel(): void
}

/** An engine of this process that sends fresh rows. They are stored with its lease, and nobody has to claim them. */
export interface FreshSender extends WakeListener {
  /** Null where the row has to wait, for its endpoint or for its turn. */
  hold(tenantId: TenantId, webhookId: Id<'webhook'>): FreshSlot | null
}

export function asFreshSender(listener: WakeListener | undefined): FreshSender | null {
  return listener && 'hold' in listener ? (listener as FreshSender) : null
}
