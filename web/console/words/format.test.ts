import { expect, test } from 'vitest'
import { formatTimeAgo, formatTimeUntil } from './format.ts'

const NOW = Date.parse('2026-03-01T09:00:00Z')
const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString()

test('a moment that is still to come is never said to be in the past', () => {
  expect(formatTimeUntil(at(300), NOW)).toBe(formatTimeAgo(at(300), NOW))
  for (const late of [0, -1, -90, -86_400]) expect(formatTimeUntil(at(late), NOW)).toBe('now')
  expect(formatTimeAgo(at(-90), NOW)).not.toBe('now')
})
