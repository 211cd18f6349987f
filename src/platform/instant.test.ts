import { expect, test } from 'vitest'
import { beginningOfLocalDay, endOfLocalDay, instant, instantUntil } from './instant.ts'

test.each([
  ['2026-03-02T10:00:00Z', '2026-03-02T10:00:00.000Z'],
  ['2026-03-02T10:00:00.25+05:30', '2026-03-02T04:30:00.250Z'],
  ['1900-01-01T00:00:00Z', '1900-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
])('%s is the moment %s', (text, moment) => {
  expect(instant.parse(text).toISOString()).toBe(moment)
})

test.each([
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-23:59',
  '1900-01-01T00:00:00+00:01',
  '2026-02-30T00:00:00Z',
  '2026-02-30',
  '2026-03-02T10:00:00',
])('%s is no moment that can be kept', (text) => {
  expect(instant.safeParse(text).success).toBe(false)
})

test('a date alone is its first moment in UTC, and as the end of a period includes the day', () => {
  expect(instant.parse('2026-11-22').toISOString()).toBe('2026-11-22T00:00:00.000Z')
  expect(instantUntil.parse('2026-11-22').toISOString()).toBe('2026-11-23T00:00:00.000Z')
  expect(instantUntil.parse('2026-11-22T10:00:00Z').toISOString()).toBe('2026-11-22T10:00:00.000Z')
})

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
  expect([beginningOfLocalDay(day, timezone).toISOString(), endOfLocalDay(day, timezone).toISOString()]).toEqual([
    beginning,
    end,
  ])
})
