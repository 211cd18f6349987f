import { expect, test } from 'vitest'
import { agentsLede } from './lede.ts'

const row = (position: number, at: number, margin = 1) => {
  const score = 80 - 10 * at
  return { position, agent: { name: `A${at}` }, score, interval: { low: score - margin, high: score + margin } }
}
const rows = (...positions: number[]) => positions.map((position, at) => row(position, at))

test.each([
  [rows(), 'agents:lede.none', {}],
  [rows(1), 'agents:lede.only', { name: '\u2068A0\u2069' }],
  [rows(1, 2, 2), 'agents:lede.first', { name: '\u2068A0\u2069' }],
  [[row(1, 0), row(2, 1), row(2, 2, 25)], 'agents:lede.firstAlone', { name: '\u2068A0\u2069' }],
  [rows(1, 1, 3), 'agents:lede.tied', { count: 2 }],
  [rows(1, 1), 'agents:lede.allTied', { count: 2 }],
])('%o says %s', (placed, key, values) => {
  expect(agentsLede(placed)).toEqual({ key, values })
})
