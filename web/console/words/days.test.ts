import { expect, test } from 'vitest'
import { daysBetween, notBefore } from './days.ts'

const NOW = '2026-11-26T22:30:00Z'

test.each([
  ['a little more than a day ahead, past the second midnight', 'Europe/Berlin', '2026-11-27T23:30:00Z', 2],
  ['the same moment, where only one midnight lies between', 'America/New_York', '2026-11-27T23:30:00Z', 1],
  ['almost two days ahead', 'UTC', '2026-11-28T22:29:00Z', 2],
  ['almost two days ago', 'UTC', '2026-11-24T22:31:00Z', -2],
  ['a minute ahead, past midnight', 'Asia/Kolkata', '2026-11-26T22:31:00Z', 0],
  ['a day ahead, when clocks went back', 'Europe/Berlin', '2026-10-25T22:30:00Z', -32],
])('days on the calendar: %s (%s)', (_, zone, at, days) => {
  expect(daysBetween(Date.parse(NOW), Date.parse(at), zone)).toBe(days)
})

test('a moment that is still to come is never in the past', () => {
  const now = Date.parse(NOW)
  expect(notBefore(now, '2026-11-26T22:31:00Z')).toBe('2026-11-26T22:31:00.000Z')
  for (const late of [0, 1_000, 86_400_000])
    expect(Date.parse(notBefore(now, new Date(now - late).toISOString()))).toBe(now)
})
