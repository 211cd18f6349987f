import { expect, test } from 'vitest'
import { nextAttemptAt, retryAfterSeconds, type RetryPlan } from './retry.ts'

const NOW = new Date('2026-03-02T10:00:00Z')
const PLAN: RetryPlan = { waitsSeconds: [5, 300, 1800, 7200], longestSeconds: 7200, jitter: 0.2 }
const seconds = (at: Date | null) => at && (at.getTime() - NOW.getTime()) / 1000

test('each failure waits longer, and the one after the last wait is the end', () => {
  expect([1, 2, 3, 4, 5].map((failures) => seconds(nextAttemptAt(PLAN, failures, NOW)))).toEqual([
    5,
    300,
    1800,
    7200,
    null,
  ])
})

test('a wait is spread by the jitter of its plan alone', () => {
  expect([0, 0.5, 1].map((random) => seconds(nextAttemptAt(PLAN, 2, NOW, { random })))).toEqual([240, 300, 360])
  expect([0, 1].map((random) => seconds(nextAttemptAt({ ...PLAN, jitter: 0 }, 2, NOW, { random })))).toEqual([300, 300])
})

test('a wait that was asked for holds where it is the longer one, up to the longest', () => {
  expect(
    [0, 299, 301, 7200, 90_000, null].map((retryAfter) => seconds(nextAttemptAt(PLAN, 2, NOW, { retryAfter }))),
  ).toEqual([300, 300, 301, 7200, 7200, 300])
  expect(nextAttemptAt(PLAN, 5, NOW, { retryAfter: 1 })).toBeNull()
})

test('a header that is neither a number of seconds nor a date asks for nothing', () => {
  expect(
    [undefined, null, '', '7', '7.5', '-1', '1234567', 'soon', ['7']].map((header) => retryAfterSeconds(header, NOW)),
  ).toEqual([null, null, null, 7, 8, null, 1_234_567, null, null])
  const dates = ['Mon, 02 Mar 2026 10:10:00 GMT', 'Mon, 02 Mar 2026 09:00:00 GMT']
  expect(dates.map((date) => retryAfterSeconds(date, NOW))).toEqual([600, 0])
  expect(dates.map((date) => retryAfterSeconds(date))).toEqual([null, null])
})
