import type { Id, TenantId } from '../../platform/ids.ts'

/** Requests in flight that count against a worker; one older than a second no longer does. */
export const WORKER_SLOTS = 64
export const WORKER_CEILING = 1_024
export const ENDPOINT_SLOTS = 10
// A claim for each slot that comes free would be a transaction for each row; slots are worth waiting for,
// because a request frees its own within a second, done or not.
const ROOM_AT_LEAST = WORKER_SLOTS / 4
const YOUNG_MS = 1_000
// Past this, a wake is dropped in favour of a look at what is due: memory stays bounded under a flood.
const WOKEN_AT_MOST = 1_000

export interface Endpoint {
  tenantId: TenantId
  webhookId: Id<'webhook'>
  /** Rows of dispatches that were not claimed yet. */
  woken: Set<string>
  /** Whether a sweep found more rows due. */
  due: boolean
  active: number
  /** 10, or 1 from a timeout until the next answer. */
  limit: number
  claiming: boolean
}

export interface Turn {
  tenantId: TenantId
  endpoints: Array<{ endpoint: Endpoint; limit: number }>
  /** The rows to claim; null for whatever is due. */
  ids: string[] | null
}

export interface Slot {
  close(timedOut: boolean): void
}

export interface Slots {
  addWoken(tenantId: TenantId, webhookId: Id<'webhook'>, ids: string[]): void
  markDue(tenantId: TenantId, webhookId: Id<'webhook'>): void
  /** What to claim next: tenants take turns, and no claim takes more than the free slots. */
  nextTurn(atMost: number): Turn | null
  hasTurn(): boolean
  /** Takes note of what a claim brought: fewer than asked for means that nothing more is due. */
  endClaim(endpoints: Turn['endpoints'], claimed: string[], ids: string[] | null): void
  /** Occupies a slot for one request; `onYield` is called once it is so old that it no longer counts. */
  open(tenantId: TenantId, webhookId: Id<'webhook'>, onYield: () => void): Slot
  active(): number
  /** Drops what was not claimed yet. */
  forget(): void
}

/** The accounting of one worker: who may send how much, and whose turn it is. */
export function createSlots(): Slots {
  const endpoints = new Map<string, Endpoint>()
  // Insertion order is the order of turns: a tenant that had one goes to the end.
  const waiting = new Map<TenantId, Set<Endpoint>>()
  let counted = 0
  let active = 0
  let reserved = 0

  function endpointOf(tenantId: TenantId, webhookId: Id<'webhook'>): Endpoint {
    const known = endpoints.get(webhookId)
    if (known) return known
    const fresh = { tenantId, webhookId, woken: new Set<string>(), due: false, active: 0, limit: ENDPOINT_SLOTS, claiming: false }
    endpoints.set(webhookId, fresh)
    return fresh
  }

  function enlist(endpoint: Endpoint): void {
    const group = waiting.get(endpoint.tenantId)
    if (group) group.add(endpoint)
    else waiting.set(endpoint.tenantId, new Set([endpoint]))
  }

  function isReady(endpoint: Endpoint): boolean {
    return !endpoint.claiming && endpoint.active < endpoint.limit && (endpoint.due || endpoint.woken.size > 0)
  }

  // An endpoint without work or requests costs no memory, but one on probation keeps its limit.
  function retire(endpoint: Endpoint): void {
    if (endpoint.due || endpoint.woken.size > 0 || endpoint.claiming) return
    const group = waiting.get(endpoint.tenantId)
    group?.delete(endpoint)
    if (group?.size === 0) waiting.delete(endpoint.tenantId)
    if (endpoint.active === 0 && endpoint.limit === ENDPOINT_SLOTS) endpoints.delete(endpoint.webhookId)
  }

  function free(): number {
    const room = Math.min(WORKER_SLOTS - counted, WORKER_CEILING - active) - reserved
    return room >= ROOM_AT_LEAST ? room : 0
  }

  function readyTenant(): [TenantId, Endpoint[]] | null {
    for (const [tenantId, group] of waiting) {
      const ready = [...group].filter(isReady)
      if (ready.length > 0) return [tenantId, ready]
    }
    return null
  }

  return {
    addWoken(tenantId, webhookId, ids) {
      const endpoint = endpointOf(tenantId, webhookId)
      if (endpoint.woken.size + ids.length > WOKEN_AT_MOST) endpoint.due = true
      else for (const id of ids) endpoint.woken.add(id)
      enlist(endpoint)
    },
    markDue(tenantId, webhookId) {
      const endpoint = endpointOf(tenantId, webhookId)
      endpoint.due = true
      enlist(endpoint)
    },
    nextTurn(atMost) {
      const room = free()
      const found = room > 0 ? readyTenant() : null
      if (!found) return null
      const [tenantId, ready] = found
      const group = waiting.get(tenantId)
      waiting.delete(tenantId)
      if (group) waiting.set(tenantId, group)
      // With others waiting, one tenant takes an even share of the room and no more.
      let left = Math.min(atMost, Math.max(1, Math.ceil(room / Math.min(waiting.size, room))))
      const woken = ready.filter((endpoint) => endpoint.woken.size > 0)
      const chosen = woken.length > 0 ? woken : ready
      const taken: Turn['endpoints'] = []
      const ids: string[] = []
      for (const endpoint of chosen) {
        if (left === 0) break
        const wanted = woken.length > 0 ? endpoint.woken.size : ENDPOINT_SLOTS
        const limit = Math.min(endpoint.limit - endpoint.active, wanted, left)
        if (woken.length > 0) for (const id of [...endpoint.woken].slice(0, limit)) ids.push(id)
        endpoint.claiming = true
        left -= limit
        reserved += limit
        taken.push({ endpoint, limit })
      }
      return { tenantId, endpoints: taken, ids: woken.length > 0 ? ids : null }
    },
    hasTurn: () => free() > 0 && readyTenant() !== null,
    endClaim(taken, claimed, ids) {
      for (const id of ids ?? []) for (const { endpoint } of taken) endpoint.woken.delete(id)
      for (const { endpoint, limit } of taken) {
        reserved -= limit
        endpoint.claiming = false
        if (ids === null && claimed.filter((webhookId) => webhookId === endpoint.webhookId).length < limit) endpoint.due = false
        retire(endpoint)
      }
    },
    open(tenantId, webhookId, onYield) {
      const endpoint = endpointOf(tenantId, webhookId)
      endpoint.active += 1
      active += 1
      counted += 1
      let young = true
      let closed = false
      const timer = setTimeout(() => {
        young = false
        counted -= 1
        onYield()
      }, YOUNG_MS)
      return {
        close(timedOut) {
          if (closed) return
          closed = true
          clearTimeout(timer)
          if (young) counted -= 1
          active -= 1
          endpoint.active -= 1
          endpoint.limit = timedOut ? 1 : ENDPOINT_SLOTS
          retire(endpoint)
        },
      }
    },
    active: () => active,
    forget() {
      for (const endpoint of endpoints.values()) {
        endpoint.woken.clear()
        endpoint.due = false
      }
      waiting.clear()
    },
  }
}
