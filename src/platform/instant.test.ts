import { expect, test } from 'vitest'
import { instant, instantUntil } from './instant.ts'

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
