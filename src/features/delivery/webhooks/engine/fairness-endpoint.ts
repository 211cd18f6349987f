import type { Id, TenantId } from '../../../../platform/ids.ts'

/** Requests that one endpoint may have in flight. */
export const ENDPOINT_SLOTS = 10

/** How a request ended: with an answer, without one in time, or without one at all. */
export type Ending = 'answered' | 'timed_out' | 'failed'

/**
 * How far an endpoint is trusted. Each request that ends decides anew: an answer makes it proven, a timeout leaves it
 * one request at a time, another failure makes it unproven. A request that turns a second old makes a proven endpoint
 * unproven.
 */
type Trust = 'unproven' | 'proven' | 'timed_out'

const TRUST_AFTER = { answered: 'proven', timed_out: 'timed_out', failed: 'unproven' } as const satisfies Record<
  Ending,
  Trust
>

/** A webhook's target as one worker knows it: what waits for it, what it holds, and how far it is trusted. */
export class Endpoint {
  readonly tenantId: TenantId
  readonly webhookId: Id<'webhook'>
  /** Rows that a wake named and no claim has taken yet. */
  readonly woken = new Set<string>()
  /** A sweep found rows that are due. */
  due = false
  /** A claim for this endpoint is under way. */
  claiming = false
  inFlight = 0
  /** Slots held for fresh rows whose transaction is under way. */
  held = 0
  #trust: Trust = 'unproven'

  constructor(tenantId: TenantId, webhookId: Id<'webhook'>) {
    this.tenantId = tenantId
    this.webhookId = webhookId
  }

  get isProven(): boolean {
    return this.#trust === 'proven'
  }

  /** Requests that it may have besides those in flight and held. */
  get spare(): number {
    return (this.#trust === 'timed_out' ? 1 : ENDPOINT_SLOTS) - this.inFlight - this.held
  }

  get hasWork(): boolean {
    return this.due || this.woken.size > 0
  }

  /** Nothing waits, and no claim may bring something. */
  get isQuiet(): boolean {
    return !this.hasWork && !this.claiming
  }

  ended(ending: Ending): void {
    this.#trust = TRUST_AFTER[ending]
  }

  /** A request has been in flight for a second. */
  grewSlow(): void {
    if (this.#trust === 'proven') this.#trust = 'unproven'
  }

  forgetWork(): void {
    this.woken.clear()
    this.due = false
  }
}
