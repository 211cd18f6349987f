import { expect, test } from 'vitest'
import { personLede, personSub, topicsOf } from './person-lede.ts'

const say = {
  momentOf: (at: string) => at.slice(0, 10),
  exactOf: (at: string) => at.slice(0, 16),
  dayOf: (at: string) => at.slice(0, 7),
  listOf: (texts: string[]) => texts.join(' and '),
}
const NEW = { created_at: '2025-03-02T00:00:00Z', last_invited_at: null, last_responded_at: null, last_score: null }
const ASKED = { ...NEW, last_invited_at: '2026-11-24T09:00:00Z' }
const SCORED = { ...ASKED, last_responded_at: '2026-11-25T19:14:00Z', last_score: 2 }
const gave = (score: number | null, survey_id = 'srv_a') => ({
  at: '2026-11-25T19:14:00Z',
  kind: 'responded',
  score,
  survey_id,
})
const INVITED = { at: '2026-11-24T09:00:00Z', kind: 'invited', score: null, survey_id: 'srv_a' }
const PLANNED = { ...INVITED, at: '2026-12-01T08:30:00Z', kind: 'planned' }

test.each([
  ['nobody asked', NEW, [], { key: 'first.never', values: {} }],
  [
    'whose messages wait',
    NEW,
    [{ ...PLANNED, at: '2026-12-24T08:30:00Z' }, PLANNED],
    { key: 'first.planned', values: { when: '2026-12-01T08:30' } },
  ],
  ['whose message was stopped', NEW, [{ ...PLANNED, kind: 'skipped' }], { key: 'first.never', values: {} }],
  ['that did not answer', ASKED, [INVITED], { key: 'first.asked', values: { when: '2026-11-24' } }],
  [
    'that answered without a score',
    { ...SCORED, last_score: null },
    [gave(null)],
    { key: 'first.answered', values: { when: '2026-11-25' } },
  ],
  ['with one score', SCORED, [gave(2), INVITED], { key: 'first.scored', values: { score: 2, when: '2026-11-25' } }],
  [
    'with scores before',
    SCORED,
    [gave(2), INVITED, gave(9), gave(5, 'srv_b'), gave(null), gave(10), gave(8)],
    { key: 'first.scoredAfter', values: { score: 2, when: '2026-11-25', before: '9 and 10' } },
  ],
])('the first sentence of a person %s', (_, person, entries, sentence) => {
  expect(personLede(person, entries, say)).toEqual(sentence)
})

test('how often somebody was asked is said of a whole story alone', () => {
  const known = { key: 'known', values: { since: '2025-03' } }
  const entries = [gave(2), INVITED, INVITED]
  expect(personSub(SCORED, entries, [], false, say)).toEqual([known])
  expect(personSub(SCORED, entries, [], true, say)).toEqual([
    known,
    { key: 'times.asked', values: { count: 2, n: 2 } },
    { key: 'times.answered', values: { count: 1, n: 1 } },
  ])
  expect(personSub(NEW, [PLANNED], [], true, say)).toEqual([known])
})

test('three topics are named at most, those of most texts first', () => {
  const topic = (name: string) => ({ topic_id: `tpc_${name}`, name, confidence: 1, source: 'rules' as const })
  const texts = [['Price'], ['Delivery', 'Price'], ['Delivery'], ['Delivery', 'Staff', 'Quality']]
  const topics = topicsOf(texts.map((names) => ({ topics: names.map(topic) })))
  expect(topics).toEqual(['Delivery', 'Price', 'Staff', 'Quality'])
  expect(personSub(NEW, [], topics, true, say)[0]).toEqual({
    key: 'writesAbout',
    values: { topics: 'Delivery and Price and Staff' },
  })
})
