import { expect, test } from 'vitest'
import { dashboardLede } from './lede.ts'
import type { Figure, Widget } from '../../boards/queries.ts'

const widget = (query: Partial<Widget['query']>): Widget => ({
  id: 'w',
  kind: 'number',
  title: '',
  query: { source: 'responses', measure: 'nps', ...query },
  layout: { x: 0, y: 0, w: 4, h: 3 },
})
const figure: Figure = {
  enough: true,
  n: 412,
  value: 41,
  interval: { low: 37, high: 45, level: 95, method: 'normal' },
  unit: 'score',
  previous: { enough: true, n: 380, value: 48, interval: { low: 44, high: 52, level: 95, method: 'normal' } },
  change: { value: -7, low: -13, high: -1, clear: true },
}
const keysOf = (query: Partial<Widget['query']>, answer: Figure = figure) =>
  dashboardLede([widget(query)], { w: answer })?.map(({ key }) => key) ?? null

test.each([
  [{ compare: 'previous' as const }, ['lede:score', 'lede:fell']],
  [{}, ['lede:score']],
  [{ compare: 'year' as const }, ['lede:score']],
  [{ by: ['survey'] }, null],
  [{ interval: 'week' as const }, null],
  [{ survey_ids: ['srv_1'] }, null],
  [{ filter: { all: [] } }, null],
  [{ measure: 'count' as const }, null],
])('a dashboard with %o says %o', (query, expected) => {
  expect(keysOf(query)).toEqual(expected)
})

test('a list of agents is no score of all', () => {
  const ranked: Widget = { ...widget({ measure: 'csat' }), kind: 'leaderboard' }
  expect(dashboardLede([ranked], { w: { enough: true, n: 1_458, unit: 'percent', rows: [] } })).toBe(null)
})

test('too few answers are said, and a widget that may not be read says nothing', () => {
  expect(keysOf({}, { enough: false, n: 3, unit: 'score' })).toEqual(['lede:few'])
  expect(dashboardLede([widget({})], { w: { error: { code: 'forbidden' } } })).toBe(null)
  expect(dashboardLede([widget({})], {})).toBe(null)
})
