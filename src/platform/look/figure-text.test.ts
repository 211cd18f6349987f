import { expect, test } from 'vitest'
import { dayNames } from './day-names.ts'
import { figureText, type FigureUnit } from './figure-text.ts'

const CASES: Array<[value: number, unit: FigureUnit, language: string, text: string]> = [
  [29.99, 'score', 'en', '30'],
  [58.333, 'score', 'de', '58'],
  [-7.25, 'score', 'de', '-7,3'],
  [-0.04, 'score', 'en', '0'],
  [52.24, 'percent', 'en', '52.2%'],
  [28.999, 'percent', 'es', '29 %'],
  [1_204, 'count', 'en', '1,204'],
  [0.4, 'count', 'en', '0'],
  [48_400, 'milliseconds', 'en', '48 sec'],
  [95, 'minutes', 'en', '1 hr 35 min'],
]
test.each(CASES)('%d as %s in %s is %s', (value, unit, language, text) => {
  const shown = figureText(value, unit, (options) => new Intl.NumberFormat(language, options))
  expect(shown.replaceAll('\u00a0', ' ')).toBe(text)
})

const DAYS: Array<[reason: string, days: string[], language: string, names: string[]]> = [
  ['the present year', ['2026-11-16', '2026-11-23'], 'en', ['Nov 16', 'Nov 23']],
  ['two years', ['2025-12-29', '2026-01-05'], 'en', ['Dec 29, 2025', 'Jan 5, 2026']],
  ['another year', ['2025-11-16'], 'de', ['16. Nov. 2025']],
]
test.each(DAYS)('days of %s say their year only if it is not plain', (_, days, language, names) => {
  const dates = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options)
  expect(dayNames(days, '2026-11-25', dates)).toEqual(names)
})
