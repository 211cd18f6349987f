import { expect, test } from 'vitest'
import { isCalendarDate } from './formats.ts'

test.each([
  ['0001-01-01', true],
  ['9999-12-31', true],
  ['2000-02-29', true],
  ['1900-02-29', false],
  ['2023-02-29', false],
  ['2023-11-31', false],
  ['2023-13-01', false],
  ['2023-00-01', false],
  ['2023-01-00', false],
  ['2023-01-32', false],
  ['0000-01-01', false],
  ['2023-1-1', false],
  ['2023-01-01T00:00', false],
])('%s is a day of the calendar: %j', (text, expected) => {
  expect(isCalendarDate(text)).toBe(expected)
})
