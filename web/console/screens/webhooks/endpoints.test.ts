import { expect, test } from 'vitest'
import { endpointsLede, offSentences, waitingSentences } from './endpoints.ts'

const endpoint = (name: string, state: 'new' | 'ok' | 'failing' | 'disabled', more: object = {}) => ({
  name,
  health: { state, failing_since: null, success_rate: 100, waiting: 0, dead_lettered: 0, ...more },
})
const WELL = endpoint('Data', 'ok')
const NEW = endpoint('New', 'new', { success_rate: null })
const OLD = endpoint('Old', 'disabled')
const CRM = endpoint('CRM', 'failing', { failing_since: '2026-11-25T16:41:00Z', waiting: 41, dead_lettered: 12 })
const waits = (count: number) => ({ key: 'lede.wait', values: { count } })
const isDead = (count: number) => ({ key: 'lede.dead', values: { count } })
const SAY = { momentOf: (moment: string) => moment.slice(11, 16), rateText: (rate: number) => `${rate} %` }

test.each([
  ['no endpoint', [], null],
  ['a healthy endpoint', [WELL], { key: 'lede.allWell', values: { count: 1 } }],
  ['new ones', [NEW, NEW], { key: 'lede.nothingYet', values: { count: 2 } }],
  ['a new one beside one that is off', [NEW, OLD], { key: 'lede.nothingYet', values: { count: 1 } }],
  ['a new one beside a healthy one', [WELL, NEW], { key: 'lede.someNew', values: { count: 1, fresh: 1 } }],
  [
    'one without attempts lately',
    [endpoint('A', 'ok', { success_rate: null })],
    { key: 'lede.allWell', values: { count: 1 } },
  ],
  [
    'those that took a part: the worst',
    [WELL, endpoint('A', 'ok', { success_rate: 99 }), endpoint('B', 'ok', { success_rate: 33 }), NEW],
    { key: 'lede.partly', values: { name: 'B', rate: '33 %' } },
  ],
  ['a failing endpoint', [WELL, CRM], { key: 'lede.oneFailsSince', values: { name: 'CRM', since: '16:41' } }],
  [
    'an endpoint that never worked',
    [endpoint('CRM', 'failing')],
    { key: 'lede.oneFails', values: { name: 'CRM', since: '' } },
  ],
  ['two that fail', [WELL, CRM, CRM], { key: 'lede.manyFail', values: { failing: 2, total: 3, count: 3 } }],
  [
    'an endpoint that is off',
    [WELL, endpoint('Old', 'disabled')],
    { key: 'lede.someOff', values: { count: 1, off: 1 } },
  ],
  ['all off', [endpoint('Old', 'disabled')], { key: 'lede.allOff', values: { count: 1 } }],
])('the first sentence for %s', (_, endpoints, sentence) => {
  expect(endpointsLede(endpoints, SAY)).toEqual(sentence)
})

test.each([
  ['nothing', [WELL], []],
  ['what waits, and dead letters', [WELL, CRM], [waits(41), isDead(12)]],
  ['what waits', [endpoint('A', 'ok', { waiting: 2 })], [waits(2)]],
  ['dead letters', [endpoint('A', 'ok', { dead_lettered: 1 })], [isDead(1)]],
  ['nothing to a caller who may not see it', [endpoint('A', 'ok', { waiting: null, dead_lettered: null })], []],
])('the second line says %s', (_, endpoints, sentences) => {
  expect(waitingSentences(endpoints)).toEqual(sentences)
})

test('deliveries of an endpoint that is off do not go out by themselves, and it is named', () => {
  const off = endpoint('Old', 'disabled', { waiting: 57, dead_lettered: 1 })
  expect(waitingSentences([off, WELL])).toEqual([isDead(1)])
  expect(waitingSentences([off, CRM])).toEqual([waits(41), isDead(13)])
  expect(offSentences([WELL, off, OLD, CRM])).toEqual([{ key: 'lede.off', values: { name: 'Old', count: 57 } }])
  expect(offSentences([endpoint('Old', 'disabled', { waiting: null })])).toEqual([])
})
