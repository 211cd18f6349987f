import { expect, test } from 'vitest'
import { countRounds } from '../../../testing/runs/rounds.ts'
import { widgetView } from '../dashboards/widget-view.ts'
import { letterOf, pageOf } from './letter.ts'

const DAYS = 990
const PERIOD = { from: '2024-01-01T00:00:00Z', to: '2026-09-17T00:00:00Z', timezone: 'UTC' }
const series = Array.from({ length: DAYS }, (_, n) => ({
  date: new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(0, 10),
  value: n,
  n,
}))
const table = widgetView({ kind: 'table', title: 'Days' }, { enough: true, n: 1, unit: 'count', series })
const make = (widgets: number) =>
  letterOf(
    'Years',
    { period: PERIOD, today: '2026-09-16' },
    Array.from({ length: widgets }, () => ({ widget: table, png: null })),
    'https://earshot.example/app/reports/1',
  )

test('a letter shows the newest rows of a long series and says so, in both of its parts', async () => {
  const letter = await make(1)
  expect(letter.parts[0]?.rows).toHaveLength(200)
  expect(letter.html.match(/<tr><td class="ink"[^>]*>\w{3} \d/g)).toHaveLength(200)
  expect(letter.html).toContain('>Shown: the newest 200 of 990.</p>')
  expect(letter.text).toContain('  Sep 16: 989 (989)\n  Shown: the newest 200 of 990.\n')
})

test('a letter and a page of thousands of rows are made in slices', async () => {
  expect(await countRounds(() => make(30))).toBeGreaterThan(600)
  const letter = await make(30)
  expect(await countRounds(() => pageOf(letter))).toBeGreaterThan(300)
})
