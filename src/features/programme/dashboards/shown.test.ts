import { expect, test } from 'vitest'
import { daysText } from './shown.ts'

test.each([
  // Seven days in Berlin begin and end at 22:00 in UTC.
  ['2026-06-30T22:00:00.000Z', '2026-07-07T22:00:00.000Z', 'Europe/Berlin', 'de', '1.–7. Juli 2026'],
  ['2026-07-01T04:00:00.000Z', '2026-07-08T04:00:00.000Z', 'America/New_York', 'en', 'July 1 – 7, 2026'],
  ['2025-12-31T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 'UTC', 'en', 'December 31, 2025'],
])('the period from %s to %s in %s is told in %s by its first and last day', (from, to, timezone, language, told) => {
  expect(daysText({ from, to, timezone }, language).replaceAll('\u2009', ' ')).toBe(told)
})
