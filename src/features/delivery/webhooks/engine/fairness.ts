import type { Id, TenantId } from '../../../../platform/ids.ts'

/** Requests in flight that count against a worker; one older than a second no longer does. */
export const WORKER_SLOTS = 64
export const WORKER_CEILING = 1_024
export const ENDPOINT_SLOTS = 10
// What endpoints that have not answered yet, or not lately, may hold together: however many of them hang, half
// of a worker is left to those that answer.
export const UNPROVEN_SLOTS = WORKER_SLOTS / 2
// Tenants that are looked at for one turn.
const LOOKS_AT_MOST = 32
// One claim in so many is of what is due, while others bring fresh rows.
const TURNS_OF_DUE = 4
// How many endpoints without work are remembered, so that they need not begin anew.
const IDLE_AT_MOST = 10_000
// A claim for each slot that comes free would be a transaction for each row; slots are worth waiting for,
// because a request frees its own within a second, done or not.
const ROOM_AT_LEAST = 24
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
  /** Fresh rows that a slot is held for while their transaction is under way. */
  held: number
  /** 10, or 1 from a timeout until the next answer. */
  limit: number
  /** It has answered, and nothing has been in flight to it for a second since. */
  proven: boolean
  claiming: boolean
}

export interface Turn {
  tenantId: TenantId
  endpoints: Array<{ endpoint: Endpoint; limit: number; proven: boolean }>
  /** The rows to claim; null for whatever is due. */
  ids: string[] | null
}

/** How a request ended: with an answer, without one in time, or without one at all. */
export type Ending = 'answered' | 'timed_out' | 'failed'

export interface Slot {
  close(ending: Ending): void
}

/** A slot kept free for a row that is about to be stored. */
export interface Held {
  /** Once it is stored; after more than a second, one more request than there are slots for. */
  open(): Slot
  /** Where it is not. */
  cancel(): void
}

export interface Slots {
  /** A slot for a fresh row, which then needs no claim; null where it has to wait for its turn like others. `onYield` as for `open`. */
  hold(tenantId: TenantId, webhookId: Id<'webhook'>, onYield: () => void): Held | null
  addWoken(tenantId: TenantId, webhookId: Id<'webhook'>, ids: string[]): void
  markDue(tenantId: TenantId, webhookId: Id<'webhook'>): void
  /** What to claim next: tenants take turns, and no claim takes more than the free slots. */
  nextTurn(atMost: number): Turn | null
  hasTurn(): boolean
  /** Ends a claim; `more` are the webhooks that have more due than it took. */
  endClaim(endpoints: Turn['endpoints'], ids: string[] | null, more: Set<string>): void
  /** Occupies a slot for one request; `onYield` is called once it is so old that it no longer counts. */
  open(tenantId: TenantId, webhookId: Id<'webhook'>, onYield: () => void): Slot
  active(): number
  /** Requests in flight, and those that a claim may still bring. */
  outstanding(): number
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
  let unproven = 0
  let turns = 0

  function endpointOf(tenantId: TenantId, webhookId: Id<'webhook'>): Endpoint {
    const known = endpoints.get(webhookId)
    if (known) return known
    const fresh = { tenantId, webhookId, woken: new Set<string>(), due: false, active: 0, held: 0, limit: ENDPOINT_SLOTS, proven: false, claiming: false }
    endpoints.set(webhookId, fresh)
    return fresh
  }

  function enlist(endpoint: Endpoint): void {
    const group = waiting.get(endpoint.tenantId)
    if (group) group.add(endpoint)
    else waiting.set(endpoint.tenantId, new Set([endpoint]))
  }

  function isReady(endpoint: Endpoint): boolean {
    if (endpoint.claiming || endpoint.active + endpoint.held >= endpoint.limit) return false
    return (endpoint.due || endpoint.woken.size > 0) && (endpoint.proven || unproven <= UNPROVEN_SLOTS - ENDPOINT_SLOTS)
  }

  // An endpoint without work or requests leaves nothing but what is known of it.
  function retire(endpoint: Endpoint): void {
    if (endpoint.due || endpoint.woken.size > 0 || endpoint.claiming) return
    const group = waiting.get(endpoint.tenantId)
    group?.delete(endpoint)
    if (group?.size === 0) waiting.delete(endpoint.tenantId)
    if (endpoint.active + endpoint.held === 0 && endpoints.size > IDLE_AT_MOST) endpoints.delete(endpoint.webhookId)
  }

  function room(): number {
    return Math.min(WORKER_SLOTS - counted, WORKER_CEILING - active) - reserved
  }

  function free(): number {
    return room() >= ROOM_AT_LEAST ? room() : 0
  }

  // Whoever cannot be served now goes to the end, so that a thousand of them are not looked through at every answer.
  function readyTenant(): [TenantId, Endpoint[]] | null {
    let looks = LOOKS_AT_MOST
    for (const [tenantId, group] of waiting) {
      const ready = [...group].filter(isReady)
      if (ready.length > 0) return [tenantId, ready]
      if ((looks -= 1) === 0) return null
      waiting.delete(tenantId)
      waiting.set(tenantId, group)
    }
    return null
  }

  function someReady(): boolean {
    for (const group of waiting.values()) for (const endpoint of group) if (isReady(endpoint)) return true
    return false
  }

  function open(endpoint: Endpoint, onYield: () => void): Slot {
    endpoint.active += 1
    active += 1
    counted += 1
    const probing = endpoint.proven ? 0 : 1
    unproven += probing
    let young = true
    let closed = false
    const age = () => {
      if (!young) return
      young = false
      counted -= 1
      unproven -= probing
    }
    const timer = setTimeout(() => {
      age()
      endpoint.proven = false
      onYield()
    }, YOUNG_MS)
    return {
      close(ending) {
        if (closed) return
        closed = true
        clearTimeout(timer)
        age()
        active -= 1
        endpoint.active -= 1
        endpoint.limit = ending === 'timed_out' ? 1 : ENDPOINT_SLOTS
        endpoint.proven = ending === 'answered'
        retire(endpoint)
      },
    }
  }

  return {
    hold(tenantId, webhookId, onYield) {
      const known = endpoints.get(webhookId)
      if (known && (known.due || known.woken.size > 0 || known.claiming || known.active + known.held >= known.limit)) return null
      // While anybody waits, room is left for the claim that they wait for.
      const [claim, unprovenClaim] = waiting.size > 0 ? [ROOM_AT_LEAST, ENDPOINT_SLOTS] : [0, 0]
      if (room() <= claim || (!known?.proven && unproven >= UNPROVEN_SLOTS - unprovenClaim)) return null
      const endpoint = known ?? endpointOf(tenantId, webhookId)
      const probing = endpoint.proven ? 0 : 1
      let over = false
      const end = () => {
        if (over) return
        over = true
        clearTimeout(timer)
        endpoint.held -= 1
        reserved -= 1
        unproven -= probing
      }
      // A transaction that waits for a lock must not keep slots from everybody else.
      const timer = setTimeout(() => {
        end()
        onYield()
      }, YOUNG_MS)
      endpoint.held += 1
      reserved += 1
      unproven += probing
      return {
        open() {
          end()
          return open(endpoint, onYield)
        },
        cancel() {
          end()
          retire(endpoint)
        },
      }
    },
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
      const space = free()
      const found = space > 0 ? readyTenant() : null
      if (!found) return null
      const [tenantId, ready] = found
      const group = waiting.get(tenantId)
      waiting.delete(tenantId)
      if (group) waiting.set(tenantId, group)
      // With others waiting, one tenant takes an even share of the room, but no less than an endpoint may have in
      // flight: a transaction for each row would cost a thousand tenants more than waiting their turn does.
      let left = Math.min(atMost, space, Math.max(ENDPOINT_SLOTS, Math.ceil(space / waiting.size)))
      const woken = ready.filter((endpoint) => endpoint.woken.size > 0)
      const due = ready.filter((endpoint) => endpoint.due)
      // Fresh rows come first, but retries have their turn however many are fresh.
      const byIds = woken.length > 0 && (due.length === 0 || (turns += 1) % TURNS_OF_DUE > 0)
      const taken: Turn['endpoints'] = []
      const ids: string[] = []
      for (const endpoint of byIds ? woken : due) {
        if (left === 0) break
        if (!isReady(endpoint)) continue
        const { proven } = endpoint
        const wanted = byIds ? endpoint.woken.size : ENDPOINT_SLOTS
        const limit = Math.min(endpoint.limit - endpoint.active - endpoint.held, wanted, left)
        if (byIds) for (const id of [...endpoint.woken].slice(0, limit)) ids.push(id)
        endpoint.claiming = true
        // What is found due from now on is found after this claim.
        if (!byIds) endpoint.due = false
        // Its siblings come first next time.
        group?.delete(endpoint)
        group?.add(endpoint)
        left -= limit
        reserved += limit
        if (!proven) unproven += limit
        taken.push({ endpoint, limit, proven })
      }
      return { tenantId, endpoints: taken, ids: byIds ? ids : null }
    },
    hasTurn: () => free() > 0 && someReady(),
    endClaim(taken, ids, more) {
      for (const id of ids ?? []) for (const { endpoint } of taken) endpoint.woken.delete(id)
      for (const { endpoint, limit, proven } of taken) {
        reserved -= limit
        if (!proven) unproven -= limit
        endpoint.claiming = false
        if (ids === null && more.has(endpoint.webhookId)) {
          endpoint.due = true
          enlist(endpoint)
        }
        retire(endpoint)
      }
    },
    open: (tenantId, webhookId, onYield) => open(endpointOf(tenantId, webhookId), onYield),
    active: () => active,
    outstanding: () => active + reserved,
    forget() {
      for (const endpoint of endpoints.values()) {
        endpoint.woken.clear()
        endpoint.due = false
      }
      waiting.clear()
    },
  }
}
