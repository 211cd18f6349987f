import { expect, test } from 'vitest'
import { fitting, KINDS, measuresOf, sourcesOf, type Query } from './queries.ts'

const ASKED: Query[] = [
  { source: 'responses', measure: 'count' },
  { source: 'responses', measure: 'score', survey_ids: [] },
  { source: 'responses', measure: 'median_duration', by: ['tag'], interval: 'day', compare: 'year', limit: 3 },
  { source: 'sends', measure: 'response_rate', by: ['status'] },
  { source: 'alerts', measure: 'open_alerts', interval: 'month' },
  { source: 'webhook_deliveries', measure: 'delivered_share', by: ['event'], filter: { all: [] } },
]

test('every kind of widget asks what its source has', () => {
  for (const kind of KINDS)
    for (const asked of ASKED) {
      const query = fitting(kind, asked)
      expect(sourcesOf(kind), kind).toContain(query.source)
      expect(measuresOf(kind, query.source), kind).toContain(query.measure)
      if (query.measure === 'score') expect(query.by).toEqual(['survey'])
      expect(fitting(kind, query), kind).toEqual(query)
    }
})

test('a number has no group and no interval, and a line has its interval', () => {
  const grouped: Query = { source: 'responses', measure: 'nps', by: ['survey'], interval: 'day', compare: 'previous' }
  expect(fitting('number', grouped)).toEqual({ source: 'responses', measure: 'nps', compare: 'previous' })
  expect(fitting('line', grouped)).toEqual({
    source: 'responses',
    measure: 'nps',
    interval: 'day',
    compare: 'previous',
  })
  expect(fitting('table', { source: 'responses', measure: 'score' })).toMatchObject({ by: ['survey'] })
})

test('a filter on rows of another source is not kept', () => {
  const filter = { all: [{ field: 'event', op: 'eq', value: 'response.completed' }] }
  expect(fitting('verbatim', { source: 'webhook_deliveries', measure: 'count', filter })).toEqual({
    source: 'responses',
    measure: 'count',
    limit: 5,
  })
})
