import type { TenantId } from '../../../../platform/ids.ts'
import { ENDPOINT_SLOTS, type Endpoint } from './fairness-endpoint.ts'
import type { WorkerRoom } from './fairness-room.ts'

// Tenants that are looked at for one turn.
const LOOKS_AT_MOST = 32
// Every fourth turn takes rows that are due, even while wakes bring fresh ones.
const TURNS_OF_DUE = 4

/** One claim of one tenant. */
export interface Turn {
  tenantId: TenantId
  endpoints: Share[]
  /** The rows to claim; null for whatever is due. */
  ids: string[] | null
}

/** The slots that a turn reserves for one endpoint. */
export interface Share {
  endpoint: Endpoint
  limit: number
  proven: boolean
}

/** The tenants with something to claim. They take turns, and so do the endpoints of each. */
export class Turns {
  readonly #room: WorkerRoom
  // Insertion order is the order of turns: a tenant that had one goes to the end.
  readonly #waiting = new Map<TenantId, Set<Endpoint>>()
  #contested = 0

  constructor(room: WorkerRoom) {
    this.#room = room
  }

  get someWait(): boolean {
    return this.#waiting.size > 0
  }

  add(endpoint: Endpoint): void {
    const group = this.#waiting.get(endpoint.tenantId)
    if (group) group.add(endpoint)
    else this.#waiting.set(endpoint.tenantId, new Set([endpoint]))
  }

  remove(endpoint: Endpoint): void {
    const group = this.#waiting.get(endpoint.tenantId)
    group?.delete(endpoint)
    if (group?.size === 0) this.#waiting.delete(endpoint.tenantId)
  }

  clear(): void {
    this.#waiting.clear()
  }

  hasNext(): boolean {
    if (this.#room.freeForClaim === 0) return false
    for (const group of this.#waiting.values()) for (const endpoint of group) if (this.#isReady(endpoint)) return true
    return false
  }

  /** Reserves slots for the next tenant, at most as many as are free. */
  next(atMost: number): Turn | null {
    const free = this.#room.freeForClaim
    const found = free > 0 ? this.#readyTenant() : null
    if (!found) return null
    const { tenantId, group, ready } = found
    this.#moveToEnd(tenantId, group)
    const slots = Math.min(atMost, free, this.#evenShare(free))
    const woken = ready.filter((endpoint) => endpoint.woken.size > 0)
    const due = ready.filter((endpoint) => endpoint.due)
    return this.#takesWoken(woken, due)
      ? { tenantId, ...this.#takeWoken(woken, group, slots) }
      : { tenantId, endpoints: this.#takeDue(due, group, slots), ids: null }
  }

  #isReady(endpoint: Endpoint): boolean {
    return !endpoint.claiming && endpoint.hasWork && endpoint.spare > 0 && this.#room.admitsClaim(endpoint)
  }

  // A tenant that cannot be served now goes to the end. Otherwise every answer would look through a thousand of them.
  #readyTenant(): { tenantId: TenantId; group: Set<Endpoint>; ready: Endpoint[] } | null {
    let looks = LOOKS_AT_MOST
    for (const [tenantId, group] of this.#waiting) {
      const ready = [...group].filter((endpoint) => this.#isReady(endpoint))
      if (ready.length > 0) return { tenantId, group, ready }
      looks -= 1
      if (looks === 0) return null
      this.#moveToEnd(tenantId, group)
    }
    return null
  }

  #moveToEnd(tenantId: TenantId, group: Set<Endpoint>): void {
    this.#waiting.delete(tenantId)
    this.#waiting.set(tenantId, group)
  }

  // No less than an endpoint may have in flight: a transaction for each row would cost a thousand tenants more than
  // waiting for their turn does.
  #evenShare(free: number): number {
    return Math.max(ENDPOINT_SLOTS, Math.ceil(free / this.#waiting.size))
  }

  // Fresh rows come first, but retries have their turn however many are fresh.
  #takesWoken(woken: Endpoint[], due: Endpoint[]): boolean {
    if (woken.length === 0 || due.length === 0) return woken.length > 0
    this.#contested += 1
    return this.#contested % TURNS_OF_DUE > 0
  }

  #takeWoken(woken: Endpoint[], group: Set<Endpoint>, slots: number): Pick<Turn, 'endpoints' | 'ids'> {
    const ids: string[] = []
    const endpoints = this.#take(woken, group, slots, (endpoint) => endpoint.woken.size)
    for (const { endpoint, limit } of endpoints) ids.push(...[...endpoint.woken].slice(0, limit))
    return { endpoints, ids }
  }

  #takeDue(due: Endpoint[], group: Set<Endpoint>, slots: number): Share[] {
    const endpoints = this.#take(due, group, slots, () => ENDPOINT_SLOTS)
    // A sweep that finds more during the claim marks the endpoint again.
    for (const { endpoint } of endpoints) endpoint.due = false
    return endpoints
  }

  #take(ready: Endpoint[], group: Set<Endpoint>, slots: number, wanted: (endpoint: Endpoint) => number): Share[] {
    const shares: Share[] = []
    let left = slots
    for (const endpoint of ready) {
      if (left === 0) break
      // An earlier share may have used up the slots of unproven endpoints.
      if (!this.#isReady(endpoint)) continue
      const limit = Math.min(endpoint.spare, wanted(endpoint), left)
      const proven = endpoint.isProven
      left -= limit
      this.#room.reserve(limit, proven)
      endpoint.claiming = true
      // Its siblings come first next time.
      group.delete(endpoint)
      group.add(endpoint)
      shares.push({ endpoint, limit, proven })
    }
    return shares
  }
}
