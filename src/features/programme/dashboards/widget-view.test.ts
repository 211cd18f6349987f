import { expect, test } from 'vitest'
import { daysText, shortenedOf, widgetView } from './widget-view.ts'

test.each([
  // Seven days in Berlin begin and end at 22:00 in UTC.
  ['2026-06-30T22:00:00.000Z', '2026-07-07T22:00:00.000Z', 'Europe/Berlin', 'de', '1.–7. Juli 2026'],
  ['2026-07-01T04:00:00.000Z', '2026-07-08T04:00:00.000Z', 'America/New_York', 'en', 'July 1 – 7, 2026'],
  ['2025-12-31T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 'UTC', 'en', 'December 31, 2025'],
])('the period from %s to %s in %s is told in %s by its first and last day', (from, to, timezone, language, told) => {
  expect(daysText({ from, to, timezone }, language).replaceAll('\u2009', ' ')).toBe(told)
})

test('a long series keeps its newest points, fewer in a table than in a chart, and says so in each language', () => {
  const series = Array.from({ length: 990 }, (_, n) => ({ date: `day ${n}`, value: n, n }))
  const shown = (kind: string, length = 990) =>
    widgetView({ kind, title: kind }, { enough: true, n: 1, unit: 'count', series: series.slice(0, length) })
  expect(['table', 'number', 'line', 'bar'].map((kind) => shown(kind).points.length)).toEqual([200, 200, 400, 400])
  expect(shown('table').points.at(-1)?.label).toBe('day 989')
  for (const language of ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'ar'])
    expect(shortenedOf(shown('table'), language).join(), language).toMatch(/200.*990/)
  expect(shortenedOf(shown('table', 200), 'en')).toEqual([])
})

test('a long name of a group is cut, and never within a letter', () => {
  const label = (text: string) => {
    const rows = [{ label: text, value: 1, n: 5 }]
    return widgetView({ kind: 'bar', title: 'Plans' }, { enough: true, n: 5, unit: 'count', rows }).points[0]?.label
  }
  expect(label('x'.repeat(100))).toBe('x'.repeat(100))
  expect(label('x'.repeat(1_000))).toBe(`${'x'.repeat(99)}…`)
  expect(label(`${'x'.repeat(98)}${'😀'.repeat(9)}`)).toBe(`${'x'.repeat(98)}…`)
})
