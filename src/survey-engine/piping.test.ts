import { describe, expect, test } from 'vitest'
import { pipe } from './piping.ts'
import { EVERY_TYPE, surveyWith } from './survey.fixture.ts'

const CONTEXT = {
  definition: surveyWith(EVERY_TYPE),
  values: {
    nps: 0,
    single: 'a',
    dropdown: { other: 'Fig' },
    multi: ['b', { other: 'Kiwi' }, 'c'],
    ranking: ['c', 'a', 'b'],
    matrix: { speed: 'good', care: 'bad' },
    words: '{{custom.plan}} $& <b>',
    consent: true,
    contact: { email: 'ada@example.com', name: 'Ada' },
    email: 'x'.repeat(5_000),
    url: `${'y'.repeat(998)}😀😀`,
  },
  custom_data: { plan: 'pro', seats: 0, trial: false, empty: '' },
  variables: { points: 7, tier: 'gold' },
  language: 'de',
}

describe('pipe', () => {
  test.each([
    ['{{answer.nps}}', '0'],
    ['Again {{answer.nps}} and {{answer.nps}}', 'Again 0 and 0'],
    ['{{answer.single}}', 'Apfel'],
    ['{{answer.dropdown}}', 'Fig'],
    ['{{answer.multi}}', 'Birne, Kiwi, Pflaume'],
    ['{{answer.ranking}}', 'Pflaume, Apfel, Birne'],
    ['{{answer.matrix}}', 'Speed: Good; Care: Bad'],
    ['{{answer.words}}', '{{custom.plan}} $& <b>'],
    ['{{answer.consent}}', 'yes'],
    ['{{answer.contact}}', 'Ada'],
    ['{{custom.plan|free}}', 'pro'],
    ['{{custom.seats}} {{custom.trial}}', '0 false'],
    ['{{ custom.plan }}', 'pro'],
    ['{{variable.points}} {{variable.tier}}', '7 gold'],
    ['{{answer.csat|nothing yet}}', 'nothing yet'],
    ['{{answer.csat}}.', '.'],
    ['{{custom.empty|none}}', 'none'],
    ['{{answer.gone|a|b}}', 'a|b'],
    ['{{custom.constructor|none}}{{variable.toString}}{{answer.valueOf}}', 'none'],
    ['{{whatever|none}}', 'none'],
    ['{answer.nps} {{answer.nps', '{answer.nps} {{answer.nps'],
    ['{{{answer.nps}}}', '{0}'],
    ['no placeholder', 'no placeholder'],
  ])('%j becomes %j', (template, expected) => {
    expect(pipe(template, CONTEXT)).toBe(expected)
  })

  test('1,000 characters are not cut', () => {
    const words = 'x'.repeat(1_000)
    expect(pipe('{{answer.words}}', { ...CONTEXT, values: { words } })).toBe(words)
  })

  test('one value fills at most 1,000 characters and is never cut within a character', () => {
    expect(pipe('{{answer.email}}', CONTEXT)).toBe(`${'x'.repeat(999)}…`)
    expect(pipe('{{answer.url}}', CONTEXT)).toBe(`${'y'.repeat(998)}…`)
  })
})
