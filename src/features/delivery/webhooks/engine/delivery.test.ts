import { describe, expect, test } from 'vitest'
import { afterAttempt, type Outcome } from './delivery.ts'

const RETRIES = [5, 300, 1800, 7200]
const now = new Date('2026-03-02T10:00:00.000Z')
const answered = (statusCode: number, retryAfter: string | null = null): Outcome => ({
  statusCode,
  error: null,
  latencyMs: 3,
  excerpt: '',
  responseHeaders: null,
  address: null,
  retryAfter,
})
const thrown: Outcome = {
  statusCode: null,
  error: 'the connection was refused',
  latencyMs: null,
  excerpt: null,
  responseHeaders: null,
  address: null,
  retryAfter: null,
}

describe('after an attempt', () => {
  test.each([200, 201, 204, 299])('%i is delivered', (status) => {
    expect(afterAttempt(0, answered(status), now, RETRIES, 0.5)).toEqual({
      status: 'delivered',
      deadLettered: false,
      attempts: 1,
      nextAttemptAt: null,
    })
  })
  test.each([
    [0, 5],
    [1, 300],
    [2, 1800],
    [3, 7200],
  ])('the failure after %i others waits %i seconds', (before, seconds) => {
    for (const outcome of [answered(500), answered(302), answered(101), thrown]) {
      expect(afterAttempt(before, outcome, now, RETRIES, 0.5)).toEqual({
        status: 'failed',
        deadLettered: false,
        attempts: before + 1,
        nextAttemptAt: new Date(now.getTime() + seconds * 1000),
      })
    }
  })
  test('the fifth failure dead-letters', () => {
    expect(afterAttempt(4, thrown, now, RETRIES, 0.5)).toEqual({
      status: 'failed',
      deadLettered: true,
      attempts: 5,
      nextAttemptAt: null,
    })
  })
  test('the wait is spread by 20 % either way', () => {
    const waits = [0, 1].map(
      (random) => (afterAttempt(1, thrown, now, RETRIES, random).nextAttemptAt?.getTime() ?? 0) - now.getTime(),
    )
    expect(waits).toEqual([240_000, 360_000])
  })
  test('Retry-After lengthens the wait, up to two hours, and never shortens it', () => {
    const wait = (header: string) =>
      (afterAttempt(0, answered(503, header), now, RETRIES, 0.5).nextAttemptAt?.getTime() ?? 0) - now.getTime()
    expect([wait('60'), wait('1'), wait('999999'), wait('nonsense'), wait('Mon, 02 Mar 2026 10:10:00 GMT')]).toEqual([
      60_000, 5_000, 7_200_000, 5_000, 600_000,
    ])
    expect(wait('Mon, 02 Mar 2026 09:00:00 GMT')).toBe(5_000)
  })
})
