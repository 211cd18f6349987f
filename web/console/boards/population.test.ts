import { expect, test } from 'vitest'
import { populationOf } from './titles.ts'

const COMPLETED = { all: [{ field: 'state', op: 'eq', value: 'completed' }] }

test.each([
  ['a score', { source: 'responses', measure: 'nps' }, 'ofComplete'],
  ['a share of those who finish', { source: 'responses', measure: 'completion_rate' }, 'ofBegun'],
  ['a count', { source: 'responses', measure: 'count' }, 'allBegan'],
  ['a count of complete answers', { source: 'responses', measure: 'count', filter: COMPLETED }, 'onlyComplete'],
  ['a count of alerts', { source: 'alerts', measure: 'count' }, null],
] as const)('%s says which rows it counts', (_, query, population) => {
  expect(populationOf(query)).toBe(population)
})
