import { expect, test } from 'vitest'
import { beginningOfDay, endOfDay } from './days.ts'

test.each([
  ['2026-12-31', 'Europe/Berlin', '2026-12-30T23:00:00.000Z', '2026-12-31T23:00:00.000Z'],
  ['2026-12-31', 'America/New_York', '2026-12-31T05:00:00.000Z', '2027-01-01T05:00:00.000Z'],
  ['2026-12-31', 'Pacific/Kiritimati', '2026-12-30T10:00:00.000Z', '2026-12-31T10:00:00.000Z'],
  ['2026-12-31', 'UTC', '2026-12-31T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  // Midnight does not exist on this day.
  ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
  ['2028-02-29', 'Asia/Kolkata', '2028-02-28T18:30:00.000Z', '2028-02-29T18:30:00.000Z'],
])('%s in %s begins at %s and ends at %s', (day, timezone, beginning, end) => {
  expect([beginningOfDay(day, timezone).toISOString(), endOfDay(day, timezone).toISOString()]).toEqual([beginning, end])
})
