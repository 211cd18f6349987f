import { expect, test } from 'vitest'
import { periodOf, withoutPeriod, withPeriod } from './period.ts'

const DAY = { field: 'created_at', op: 'within_days', value: 1 }
const DEAD = { field: 'dead_lettered', op: 'eq', value: true }
const EITHER = { any: [DEAD, DAY] }

test('the period is one condition of the filter, and leaves the others as they are', () => {
  expect(withPeriod(undefined, 1)).toEqual({ all: [DAY] })
  expect(withPeriod({ all: [DEAD] }, 1)).toEqual({ all: [DAY, DEAD] })
  expect(withPeriod({ all: [DEAD, DAY] }, 7)).toEqual({ all: [{ ...DAY, value: 7 }, DEAD] })
  expect(withPeriod({ all: [DAY, DEAD] }, null)).toEqual({ all: [DEAD] })
  expect(withPeriod({ all: [DAY] }, null)).toBe(undefined)
  expect(periodOf({ all: [DEAD, DAY] })).toBe(1)
  expect(periodOf(DAY)).toBe(1)
  expect(withoutPeriod({ all: [DAY, DEAD] })).toEqual({ all: [DEAD] })
})

test('a condition on the time inside another one is no period', () => {
  expect(periodOf(EITHER)).toBe(null)
  expect(withPeriod(EITHER, 1)).toEqual({ all: [DAY, EITHER] })
  expect(withoutPeriod(withPeriod(EITHER, 1))).toEqual({ all: [EITHER] })
})
