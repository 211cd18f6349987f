import type { Id, TenantId } from '../../../../platform/ids.ts'
import { Endpoint } from './fairness-endpoint.ts'
import { WorkerRoom } from './fairness-room.ts'
import { Slot, type HeldSlot, type OpenSlot, type SlotKeeper } from './fairness-slot.ts'
import { Turns, type Turn } from './fairness-turns.ts'

// Endpoints without work that are remembered, so that they need not prove themselves again.
const IDLE_AT_MOST = 10_000
// A larger wake becomes a look at what is due: memory stays bounded under a flood.
const WOKEN_AT_MOST = 1_000

/**
 * Decides who may send, for one worker. A slot is a place for one request in flight; a turn is one claim of one
 * tenant, with slots reserved for it.
 *
 *     a wake or a sweep ──▶ endpoint waits ──next turn──▶ claim under way ──rows──▶ a slot for each request
 *     a fresh row ──hold──▶ held slot ──stored──▶ the same slot with its request: no claim
 *
 * `fairness-endpoint.ts` shows what one endpoint may have, `fairness-room.ts` what the worker may, `fairness-slot.ts`
 * the life of a slot, and `fairness-turns.ts` whose claim comes next.
 */
export class Fairness {
  readonly #room = new WorkerRoom()
  readonly #turns = new Turns(this.#room)
  readonly #endpoints = new Map<string, Endpoint>()
  readonly #keeper: SlotKeeper = { room: this.#room, settle: (endpoint) => this.#settle(endpoint) }

  /** Rows of this webhook wait, by name. */
  addWoken(tenantId: TenantId, webhookId: Id<'webhook'>, ids: string[]): void {
    const endpoint = this.#endpointOf(tenantId, webhookId)
    if (endpoint.woken.size + ids.length > WOKEN_AT_MOST) endpoint.due = true
    else for (const id of ids) endpoint.woken.add(id)
    this.#turns.add(endpoint)
  }

  /** Rows of this webhook are due. */
  markDue(tenantId: TenantId, webhookId: Id<'webhook'>): void {
    const endpoint = this.#endpointOf(tenantId, webhookId)
    endpoint.due = true
    this.#turns.add(endpoint)
  }

  hasTurn(): boolean {
    return this.#turns.hasNext()
  }

  /** The next claim, with slots reserved until `endTurn`. @param atMost rows that it may bring. */
  nextTurn(atMost: number): Turn | null {
    return this.#turns.next(atMost)
  }

  /** Gives back the slots that a turn reserved. @param more webhooks with more rows due than it took. */
  endTurn({ endpoints, ids }: Turn, more: ReadonlySet<string>): void {
    for (const id of ids ?? []) for (const { endpoint } of endpoints) endpoint.woken.delete(id)
    for (const { endpoint, limit, proven } of endpoints) {
      this.#room.release(limit, proven)
      endpoint.claiming = false
      if (ids === null && more.has(endpoint.webhookId)) {
        endpoint.due = true
        this.#turns.add(endpoint)
      }
      this.#settle(endpoint)
    }
  }

  /**
   * Holds a slot for a fresh row, which then needs no claim. Null where the row has to wait for its turn.
   * @param onYield is called when the slot is a second old, and so makes room for others.
   */
  hold(tenantId: TenantId, webhookId: Id<'webhook'>, onYield: () => void): HeldSlot | null {
    const known = this.#endpoints.get(webhookId)
    if (known && (!known.isQuiet || known.spare <= 0)) return null
    if (!this.#room.admitsHold(known?.isProven ?? false, this.#turns.someWait)) return null
    return new Slot(this.#keeper, known ?? this.#endpointOf(tenantId, webhookId), onYield).hold()
  }

  /** Opens a slot for the request of a claimed row. @param onYield as for `hold`. */
  open(tenantId: TenantId, webhookId: Id<'webhook'>, onYield: () => void): OpenSlot {
    return new Slot(this.#keeper, this.#endpointOf(tenantId, webhookId), onYield).open()
  }

  /** Requests in flight. */
  active(): number {
    return this.#room.inFlight
  }

  /** Requests in flight, held slots, and what claims may still bring. */
  outstanding(): number {
    return this.#room.outstanding
  }

  /** Drops what no claim has taken yet. */
  forget(): void {
    for (const endpoint of this.#endpoints.values()) endpoint.forgetWork()
    this.#turns.clear()
  }

  /** An endpoint without work leaves nothing but how far it is trusted. */
  #settle(endpoint: Endpoint): void {
    if (!endpoint.isQuiet) return
    this.#turns.remove(endpoint)
    const isIdle = endpoint.inFlight + endpoint.held === 0
    if (isIdle && this.#endpoints.size > IDLE_AT_MOST) this.#endpoints.delete(endpoint.webhookId)
  }

  #endpointOf(tenantId: TenantId, webhookId: Id<'webhook'>): Endpoint {
    const known = this.#endpoints.get(webhookId)
    if (known) return known
    const endpoint = new Endpoint(tenantId, webhookId)
    this.#endpoints.set(webhookId, endpoint)
    return endpoint
  }
}
