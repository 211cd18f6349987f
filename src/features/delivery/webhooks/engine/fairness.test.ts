import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { newId, type Id, type TenantId } from '../../../../platform/ids.ts'
import { ENDPOINT_SLOTS } from './fairness-endpoint.ts'
import { UNPROVEN_SLOTS, WORKER_CEILING, WORKER_SLOTS } from './fairness-room.ts'
import { Fairness } from './fairness.ts'

let fairness: Fairness
const tenant = (): TenantId => newId('workspace')
const endpoint = (): Id<'webhook'> => newId('webhook')
beforeEach(() => {
  vi.useFakeTimers()
  fairness = new Fairness()
})
afterEach(() => vi.useRealTimers())

// Claims everything that may be claimed, as if each row that was asked for were there.
function claimAll(limit = 1_000): Array<{ tenantId: TenantId; taken: number; ids: string[] | null }> {
  const turns = []
  for (let turn = fairness.nextTurn(100); turn && turns.length < limit; turn = fairness.nextTurn(100)) {
    const claimed = turn.endpoints.flatMap(({ endpoint: { webhookId }, limit: free }) =>
      Array.from({ length: free }, () => webhookId),
    )
    fairness.endTurn(turn, new Set(claimed))
    for (const webhookId of claimed) fairness.open(turn.tenantId, webhookId, () => {})
    turns.push({ tenantId: turn.tenantId, taken: claimed.length, ids: turn.ids })
  }
  return turns
}

// An endpoint that has answered before.
function known(tenantId: TenantId): Id<'webhook'> {
  const webhookId = endpoint()
  fairness.open(tenantId, webhookId, () => {}).close('answered')
  return webhookId
}

describe('an endpoint', () => {
  test('has at most ten requests in flight', () => {
    const tenantId = tenant()
    fairness.markDue(tenantId, known(tenantId))
    claimAll()
    expect(fairness.active()).toBe(ENDPOINT_SLOTS)
  })

  test('has one after a timeout, until it answers again', () => {
    const [tenantId, webhookId] = [tenant(), endpoint()]
    fairness.open(tenantId, webhookId, () => {}).close('timed_out')
    fairness.markDue(tenantId, webhookId)
    expect(fairness.nextTurn(100)?.endpoints).toMatchObject([{ limit: 1 }])
    fairness = new Fairness()
    fairness.open(tenantId, webhookId, () => {}).close('timed_out')
    fairness.open(tenantId, webhookId, () => {}).close('answered')
    fairness.markDue(tenantId, webhookId)
    expect(fairness.nextTurn(100)?.endpoints).toMatchObject([{ limit: ENDPOINT_SLOTS }])
  })

  test('takes its turn after its siblings, so that a long backlog does not keep them waiting', () => {
    const tenantId = tenant()
    const siblings = Array.from({ length: 12 }, () => known(tenantId))
    for (const webhookId of siblings) fairness.markDue(tenantId, webhookId)
    const served = new Set<string>()
    for (let round = 0; round < 6; round++) {
      const turn = fairness.nextTurn(20)
      for (const { endpoint: one } of turn?.endpoints ?? []) served.add(one.webhookId)
      if (turn) fairness.endTurn(turn, new Set(siblings))
    }
    expect(served.size).toBe(siblings.length)
  })

  test('is not claimed for twice at once', () => {
    fairness.markDue(tenant(), endpoint())
    expect(fairness.nextTurn(100)).not.toBeNull()
    expect(fairness.nextTurn(100)).toBeNull()
  })
})

describe('a worker', () => {
  test('keeps half of its slots from endpoints that do not answer', () => {
    const tenantId = tenant()
    for (let i = 0; i < 20; i++) fairness.markDue(tenantId, endpoint())
    claimAll()
    expect(fairness.active()).toBeLessThanOrEqual(UNPROVEN_SLOTS)
    const healthy = known(tenantId)
    fairness.markDue(tenantId, healthy)
    expect(fairness.nextTurn(100)?.endpoints).toMatchObject([
      { endpoint: { webhookId: healthy }, limit: ENDPOINT_SLOTS },
    ])
  })

  test('trusts an endpoint no longer once a request to it is a second old', () => {
    const tenantId = tenant()
    const webhooks = Array.from({ length: 20 }, () => known(tenantId))
    for (const webhookId of webhooks) fairness.open(tenantId, webhookId, () => {})
    vi.advanceTimersByTime(1_000)
    for (const webhookId of webhooks) fairness.markDue(tenantId, webhookId)
    const before = fairness.active()
    claimAll()
    expect(fairness.active() - before).toBeLessThanOrEqual(UNPROVEN_SLOTS)
  })

  test('has at most 64 young requests, and those older than a second count no longer, up to the ceiling', () => {
    const yielded = vi.fn()
    for (let i = 0; i < WORKER_SLOTS; i++) fairness.open(tenant(), endpoint(), yielded)
    fairness.markDue(tenant(), endpoint())
    expect(fairness.nextTurn(100)).toBeNull()
    vi.advanceTimersByTime(1_000)
    expect(yielded).toHaveBeenCalledTimes(WORKER_SLOTS)
    expect(fairness.nextTurn(100)).not.toBeNull()
    for (let i = fairness.active(); i < WORKER_CEILING; i++) fairness.open(tenant(), endpoint(), yielded)
    vi.advanceTimersByTime(1_000)
    fairness.markDue(tenant(), endpoint())
    expect(fairness.nextTurn(100)).toBeNull()
  })

  test('knows what is on its way: what a claim may bring, and what is in flight', () => {
    const tenantId = tenant()
    const webhookId = known(tenantId)
    fairness.markDue(tenantId, webhookId)
    const turn = fairness.nextTurn(100)
    expect([fairness.active(), fairness.outstanding()]).toEqual([0, ENDPOINT_SLOTS])
    if (turn) fairness.endTurn(turn, new Set())
    fairness.open(tenantId, webhookId, () => {})
    expect([fairness.active(), fairness.outstanding()]).toEqual([1, 1])
  })

  test('gives every slot back, whatever a claim brought and however a request ended', () => {
    for (let round = 0; round < 50; round++) {
      const [tenantId, webhookId] = [tenant(), endpoint()]
      if (round % 2) fairness.markDue(tenantId, webhookId)
      else fairness.addWoken(tenantId, webhookId, ['a', 'b', 'c'])
      const turn = fairness.nextTurn(100)
      expect(turn).not.toBeNull()
      if (!turn) return
      const claimed = round % 3 === 0 ? [] : [webhookId]
      fairness.endTurn(turn, new Set())
      for (const id of claimed) {
        const slot = fairness.open(tenantId, id, () => {})
        if (round % 5 === 0) vi.advanceTimersByTime(2_000)
        slot.close(round % 4 === 0 ? 'timed_out' : 'answered')
      }
    }
    expect(fairness.active()).toBe(0)
    fairness.forget()
    const room = () => {
      for (let i = 0; i < 7; i++) fairness.markDue(tenant(), endpoint())
      claimAll()
      return fairness.active()
    }
    const used = room()
    fairness = new Fairness()
    expect(used).toBe(room())
  })
})

describe('tenants', () => {
  test('take turns: one with a flood of endpoints does not keep the others waiting', () => {
    const flood = tenant()
    for (let i = 0; i < 50; i++) fairness.markDue(flood, known(flood))
    const others = [tenant(), tenant(), tenant()]
    for (const other of others) fairness.markDue(other, known(other))
    const turns = claimAll()
    for (const other of others)
      expect(turns.filter((turn) => turn.tenantId === other && turn.taken > 0)).not.toEqual([])
    expect(turns.find((turn) => turn.tenantId === flood)?.taken).toBeLessThanOrEqual(WORKER_SLOTS / 4)
  })
})

describe('a retry', () => {
  test('has its turn, however many fresh rows there are', () => {
    const tenantId = tenant()
    const [fresh, retried] = [known(tenantId), known(tenantId)]
    fairness.markDue(tenantId, retried)
    const turns = Array.from({ length: 4 }, (_, i) => {
      fairness.addWoken(tenantId, fresh, [`row-${i}`])
      const turn = fairness.nextTurn(100)
      if (turn) fairness.endTurn(turn, new Set())
      return turn?.ids === null ? turn.endpoints.map(({ endpoint: one }) => one.webhookId) : []
    })
    expect(turns.flat()).toEqual([retried])
  })

  test('found while a claim is under way is claimed after it', () => {
    const [tenantId, webhookId] = [tenant(), endpoint()]
    fairness.markDue(tenantId, webhookId)
    const turn = fairness.nextTurn(100)
    fairness.markDue(tenantId, webhookId)
    if (turn) fairness.endTurn(turn, new Set())
    expect(fairness.nextTurn(100)?.endpoints).toMatchObject([{ endpoint: { webhookId } }])
  })
})

describe('a wake', () => {
  test('brings its own rows only, and what was not claimed waits for room', () => {
    const tenantId = tenant()
    const webhookId = known(tenantId)
    const ids = Array.from({ length: 15 }, (_, i) => `row-${i}`)
    fairness.addWoken(tenantId, webhookId, ids)
    const first = fairness.nextTurn(100)
    expect(first?.ids).toEqual(ids.slice(0, ENDPOINT_SLOTS))
    if (first) fairness.endTurn(first, new Set())
    expect(fairness.nextTurn(100)?.ids).toEqual(ids.slice(ENDPOINT_SLOTS))
  })

  test('too large to remember becomes a look at what is due', () => {
    const [tenantId, webhookId] = [tenant(), endpoint()]
    fairness.addWoken(
      tenantId,
      webhookId,
      Array.from({ length: 5_000 }, (_, i) => `row-${i}`),
    )
    expect(fairness.nextTurn(100)?.ids).toBeNull()
  })
})

describe('a slot for a fresh row', () => {
  // Endpoints of one tenant, as many as it takes, each once.
  function holdAll(make: (tenantId: TenantId) => Id<'webhook'>): number {
    const tenantId = tenant()
    let held = 0
    while (fairness.hold(tenantId, make(tenantId), () => {})) held += 1
    return held
  }

  test('is any that is free while nobody waits, and counts as one that is in use', () => {
    expect(holdAll(known)).toBe(WORKER_SLOTS)
    expect(fairness.outstanding()).toBe(WORKER_SLOTS)
    const waiting = tenant()
    fairness.markDue(waiting, known(waiting))
    expect(claimAll()).toEqual([])
  })

  test('is free again where its row was not stored, and is the request where it was', () => {
    const [tenantId, webhookId] = [tenant(), endpoint()]
    fairness.hold(tenantId, webhookId, () => {})?.cancel()
    expect(fairness.outstanding()).toBe(0)
    const slot = fairness.hold(tenantId, webhookId, () => {})?.open()
    expect([fairness.active(), fairness.outstanding()]).toEqual([1, 1])
    slot?.close('answered')
    expect(fairness.outstanding()).toBe(0)
  })

  test('is not one that a waiting workspace needs for the next claim', () => {
    const waiting = tenant()
    fairness.markDue(waiting, known(waiting))
    const held = holdAll(known)
    expect(held).toBeLessThan(WORKER_SLOTS)
    expect(claimAll()).toMatchObject([{ tenantId: waiting, taken: ENDPOINT_SLOTS }])
  })

  test('of an endpoint that has not answered yet leaves room for others like it that wait', () => {
    const waiting = tenant()
    fairness.markDue(waiting, endpoint())
    expect(holdAll(endpoint)).toBe(UNPROVEN_SLOTS - ENDPOINT_SLOTS)
    expect(claimAll()).toMatchObject([{ tenantId: waiting, taken: ENDPOINT_SLOTS }])
    fairness = new Fairness()
    expect(holdAll(endpoint)).toBe(UNPROVEN_SLOTS)
  })

  test('is kept for a second: a transaction that waits for a lock holds up nobody', () => {
    const tenantId = tenant()
    const yielded = vi.fn<() => void>()
    const held = fairness.hold(tenantId, endpoint(), yielded)
    vi.advanceTimersByTime(1_000)
    expect([fairness.outstanding(), yielded.mock.calls.length]).toEqual([0, 1])
    held?.open().close('answered')
    expect(fairness.outstanding()).toBe(0)
  })

  test('waits for the rows of its endpoint that came before, and for those in flight', () => {
    const [tenantId, webhookId] = [tenant(), endpoint()]
    fairness.addWoken(tenantId, webhookId, ['before'])
    expect(fairness.hold(tenantId, webhookId, () => {})).toBeNull()
    fairness = new Fairness()
    const held = Array.from({ length: ENDPOINT_SLOTS }, () => fairness.hold(tenantId, webhookId, () => {}))
    expect(held.every((one) => one !== null)).toBe(true)
    expect(fairness.hold(tenantId, webhookId, () => {})).toBeNull()
    fairness = new Fairness()
    fairness.open(tenantId, webhookId, () => {}).close('timed_out')
    fairness.hold(tenantId, webhookId, () => {})
    expect(fairness.hold(tenantId, webhookId, () => {})).toBeNull()
  })
})
