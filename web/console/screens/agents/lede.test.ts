import { expect, test } from 'vitest'
import { agentsLede } from './lede.ts'

const rows = (...positions: number[]) => positions.map((position, at) => ({ position, agent: { name: `A${at}` } }))

test.each([
  [rows(), 'agents:lede.none', {}],
  [rows(1), 'agents:lede.only', { name: '\u2068A0\u2069' }],
  [rows(1, 2, 2), 'agents:lede.first', { name: '\u2068A0\u2069' }],
  [rows(1, 1, 3), 'agents:lede.tied', { count: 2 }],
  [rows(1, 1), 'agents:lede.allTied', { count: 2 }],
])('%o says %s', (placed, key, values) => {
  expect(agentsLede(placed)).toEqual({ key, values })
})
