import { expect, test } from 'vitest'
import { addFields } from '../../../../platform/filter/entity.ts'
import { responses } from '../../rows/response.entity.ts'
import { factFilter } from './fact-filter.ts'

test('a filter of fifty tests of a field with a thousand values lets other work run while it is decided', async () => {
  addFields('responses', responses.filters)
  const cells = Array.from({ length: 1_000 }, (_, at) => JSON.stringify(['custom', 'order', `"o${at}"`]))
  const tests = Array.from({ length: 50 }, (_, at) => ({ field: 'custom.order', op: 'eq' as const, value: `o${at}` }))
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  const found = await factFilter({ all: tests }, cells, new Date())
  clearInterval(timer)
  expect(found?.tests).toEqual(cells.slice(0, 50).map((cell) => [cell]))
  expect(turns).toBeGreaterThan(3)
})
