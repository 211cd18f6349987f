import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { newId, type Id, type TenantId } from '../../platform/ids.ts'
import { createSlots, ENDPOINT_SLOTS, WORKER_CEILING, WORKER_SLOTS, type Slots } from './delivery-slots.ts'

let slots: Slots
const tenant = (): TenantId => newId('workspace')
const endpoint = (): Id<'webhook'> => newId('webhook')
beforeEach(() => {
  vi.useFakeTimers()
  slots = createSlots()
})
afterEach(() => vi.useRealTimers())

// Claims everything that may be claimed, as if each row that was asked for were there.
function claimAll(limit = 1_000): Array<{ tenantId: TenantId; taken: number; ids: string[] | null }> {
  const turns = []
  for (let turn = slots.nextTurn(100); turn && turns.length < limit; turn = slots.nextTurn(100)) {
    const claimed = turn.endpoints.flatMap(({ endpoint: { webhookId }, limit: free }) => Array.from({ length: free }, () => webhookId))
    slots.endClaim(turn.endpoints, claimed, turn.ids)
    for (const webhookId of claimed) slots.open(turn.tenantId, webhookId, () => {})
    turns.push({ tenantId: turn.tenantId, taken: claimed.length, ids: turn.ids })
  }
  return turns
}

describe('an endpoint', () => {
  test('has at most ten requests in flight', () => {
    slots.markDue(tenant(), endpoint())
    claimAll()
    expect(slots.active()).toBe(ENDPOINT_SLOTS)
  })

  test('has one after a timeout, until it answers again', () => {
    const [tenantId, webhookId] = [tenant(), endpoint()]
    slots.open(tenantId, webhookId, () => {}).close(true)
    slots.markDue(tenantId, webhookId)
    expect(slots.nextTurn(100)?.endpoints).toMatchObject([{ limit: 1 }])
    slots = createSlots()
    slots.open(tenantId, webhookId, () => {}).close(true)
    slots.open(tenantId, webhookId, () => {}).close(false)
    slots.markDue(tenantId, webhookId)
    expect(slots.nextTurn(100)?.endpoints).toMatchObject([{ limit: ENDPOINT_SLOTS }])
  })

  test('is not claimed for twice at once', () => {
    slots.markDue(tenant(), endpoint())
    expect(slots.nextTurn(100)).not.toBeNull()
    expect(slots.nextTurn(100)).toBeNull()
  })
})

describe('a worker', () => {
  test('has at most 64 young requests, and those older than a second count no longer, up to the ceiling', () => {
    const yielded = vi.fn()
    for (let i = 0; i < WORKER_SLOTS; i++) slots.open(tenant(), endpoint(), yielded)
    slots.markDue(tenant(), endpoint())
    expect(slots.nextTurn(100)).toBeNull()
    vi.advanceTimersByTime(1_000)
    expect(yielded).toHaveBeenCalledTimes(WORKER_SLOTS)
    expect(slots.nextTurn(100)).not.toBeNull()
    for (let i = slots.active(); i < WORKER_CEILING; i++) slots.open(tenant(), endpoint(), yielded)
    vi.advanceTimersByTime(1_000)
    slots.markDue(tenant(), endpoint())
    expect(slots.nextTurn(100)).toBeNull()
  })

  test('gives every slot back, whatever a claim brought and however a request ended', () => {
    for (let round = 0; round < 50; round++) {
      const [tenantId, webhookId] = [tenant(), endpoint()]
      if (round % 2) slots.markDue(tenantId, webhookId)
      else slots.addWoken(tenantId, webhookId, ['a', 'b', 'c'])
      const turn = slots.nextTurn(100)
      expect(turn).not.toBeNull()
      if (!turn) return
      const claimed = round % 3 === 0 ? [] : [webhookId]
      slots.endClaim(turn.endpoints, claimed, turn.ids)
      for (const id of claimed) {
        const slot = slots.open(tenantId, id, () => {})
        if (round % 5 === 0) vi.advanceTimersByTime(2_000)
        slot.close(round % 4 === 0)
      }
    }
    expect(slots.active()).toBe(0)
    slots.forget()
    const room = () => {
      for (let i = 0; i < 7; i++) slots.markDue(tenant(), endpoint())
      claimAll()
      return slots.active()
    }
    const used = room()
    slots = createSlots()
    expect(used).toBe(room())
  })
})

describe('tenants', () => {
  test('take turns: one with a flood of endpoints does not keep the others waiting', () => {
    const flood = tenant()
    for (let i = 0; i < 50; i++) slots.markDue(flood, endpoint())
    const others = [tenant(), tenant(), tenant()]
    for (const other of others) slots.markDue(other, endpoint())
    const turns = claimAll()
    for (const other of others) expect(turns.filter((turn) => turn.tenantId === other && turn.taken > 0)).not.toEqual([])
    expect(turns.find((turn) => turn.tenantId === flood)?.taken).toBeLessThanOrEqual(WORKER_SLOTS / 4)
  })
})

describe('a wake', () => {
  test('brings its own rows only, and what was not claimed waits for room', () => {
    const [tenantId, webhookId] = [tenant(), endpoint()]
    const ids = Array.from({ length: 15 }, (_, i) => `row-${i}`)
    slots.addWoken(tenantId, webhookId, ids)
    const first = slots.nextTurn(100)
    expect(first?.ids).toEqual(ids.slice(0, ENDPOINT_SLOTS))
    if (first) slots.endClaim(first.endpoints, Array<Id<'webhook'>>(ENDPOINT_SLOTS).fill(webhookId), first.ids)
    expect(slots.nextTurn(100)?.ids).toEqual(ids.slice(ENDPOINT_SLOTS))
  })

  test('too large to remember becomes a look at what is due', () => {
    const [tenantId, webhookId] = [tenant(), endpoint()]
    slots.addWoken(
      tenantId,
      webhookId,
      Array.from({ length: 5_000 }, (_, i) => `row-${i}`),
    )
    expect(slots.nextTurn(100)?.ids).toBeNull()
  })
})
