import { expect, test } from 'vitest'
import { scoreChangesIn, propertiesOf } from './score-change-groups.ts'

const figure = (n: number, value: number) => ({
  enough: true,
  unit: 'score' as const,
  n,
  value,
  interval: { low: value - 10, high: value + 10, level: 95 as const, method: 'normal' },
})
const whole = { ...figure(100, 0), previous: figure(100, 20), change: { value: -20, low: -34, high: -6, clear: true } }
const texts = (...bands: string[]) => ({
  enough: true,
  unit: 'count' as const,
  n: 12,
  rows: bands.map((band) => ({
    groups: [
      { by: 'band', key: band },
      { by: 'sentiment', key: 'negative' },
    ],
  })),
})

test('one call asks for few groups, of the first questions with a short list of answers', () => {
  const questions = Array.from({ length: 40 }, (_, at) => ({
    id: `q${at}`,
    type: at % 2 === 0 ? 'single' : 'open_text',
  }))
  const all = propertiesOf({ questions, custom_fields: ['agent_id', 'a', 'b', 'c', 'd', 'e'] })
  expect(all).toHaveLength(14)
  expect(all.slice(0, 2)).toEqual(['answer.q0', 'answer.q2'])
  expect(all.slice(-8)).toEqual(['channel', 'language', 'topic', 'agent', 'team', 'custom.a', 'custom.b', 'custom.c'])
})

test('a group of everybody, one of a handful and a query that took too long have no row', () => {
  const row = (key: string, n: number, value: number | null) => ({
    ...figure(n, value ?? 0),
    key,
    label: key,
    value,
    previous: figure(n, 20),
  })
  const figures = {
    whole,
    by0: {
      enough: true,
      unit: 'score' as const,
      n: 100,
      rows: [row('all', 100, 0), row('few', 3, null), row('some', 40, -40)],
    },
    by1: { error: { code: 'too_slow' as const, detail: 'It took more than 5 seconds.' } },
  }
  expect(scoreChangesIn('nps', ['answer.q', 'channel'], figures)?.groups).toMatchObject([
    { by: 'answer.q', key: 'some' },
  ])
  expect(scoreChangesIn('nps', [], { whole: figures.by1 })).toBeNull()
})

test('words of one band alone are said to be so', () => {
  const bandOf = (...bands: string[]) => scoreChangesIn('nps', [], { whole, texts: texts(...bands) })?.textBand
  expect(bandOf('detractor', 'detractor')).toBe('detractor')
  expect(bandOf('detractor', 'promoter')).toBeNull()
  expect(bandOf()).toBeNull()
  const rows = [{ ...figure(40, -100), key: 'top_1', label: 'Delivery', previous: figure(40, -100) }]
  const topics = { enough: true, unit: 'score' as const, n: 40, rows }
  const groupsOf = (...bands: string[]) =>
    scoreChangesIn('nps', ['topic'], { whole, by0: topics, texts: texts(...bands) })?.groups.length
  expect([groupsOf('detractor'), groupsOf('detractor', 'promoter')]).toEqual([0, 1])
})
