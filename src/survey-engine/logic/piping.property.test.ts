import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pipe as pipeWithin, pipeAddress, pipingBudget, type PipingContext } from './piping.ts'
import { EVERY_TYPE, surveyWith } from '../survey.fixture.ts'
import { propertyRuns } from '../../testing/property-runs.ts'

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

const pipe = (template: string, context: Omit<PipingContext, 'budget'>) =>
  pipeWithin(template, { ...context, budget: pipingBudget() })

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
    ['{{answer.consent}}', 'ja'],
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
    ['{{ answer.csat | default: "nothing yet" }}', 'nothing yet'],
    ["{{answer.csat|default:'it\"s'}}", 'it"s'],
    ['{{ custom.plan | default: "free" }}', 'pro'],
    ['{{ answer.csat | default: "" }}.', '.'],
    ['{{answer.csat|default}}', 'default'],
    ['{{answer.csat|"quoted"}}', '"quoted"'],
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

  test('50 placeholders of a text are filled, and the defaults stand for the rest', () => {
    expect(pipe('{{custom.seats|x}}'.repeat(60), CONTEXT)).toBe('0'.repeat(50) + 'x'.repeat(10))
  })

  test('a text becomes at most 10,000 characters', () => {
    expect(pipe('{{answer.email}}'.repeat(50), CONTEXT)).toHaveLength(10_000)
  })

  test('values add at most 262,144 characters to all texts of a page, and the defaults stand for the rest', () => {
    const page = { ...CONTEXT, budget: pipingBudget() }
    const texts = Array.from({ length: 500 }, () => pipeWithin('{{answer.email|none}}', page))
    expect(texts.filter((text) => text.length === 1_000)).toHaveLength(262)
    expect(texts.filter((text) => text === 'none')).toHaveLength(238)
    expect(pipeWithin('{{answer.nps}}', page)).toBe('0')
  })

  test('an answer is read once for a page, and no further than it is shown', () => {
    let read = 0
    const definition = surveyWith([
      {
        id: 'm',
        type: 'matrix',
        title: 'T',
        rows: Array.from({ length: 2_000 }, (_, index) => ({ id: `r${index}`, label: 'R' })),
        columns: [
          {
            id: 'c',
            get label() {
              read++
              return 'C'.repeat(500)
            },
          },
        ],
      },
    ])
    const values = { m: Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`r${index}`, 'c'])) }
    const page = { ...CONTEXT, definition, values, budget: pipingBudget() }
    for (let text = 0; text < 10; text++) expect(pipeWithin('{{answer.m}}', page)).toHaveLength(1_000)
    expect(read).toBe(2)
  })
})

describe('an address', () => {
  const address = (template: string, value: string) =>
    pipeAddress(template, { ...CONTEXT, custom_data: { plan: value }, budget: pipingBudget() })

  test.each([
    ['a b&c=d#e?f/g', 'https://example.com/?plan=a%20b%26c%3Dd%23e%3Ff%2Fg'],
    ['@evil.example:80\\', 'https://example.com/?plan=%40evil.example%3A80%5C'],
    ['one\r\ntwo', 'https://example.com/?plan=one%20two'],
    ['ü', 'https://example.com/?plan=%C3%BC'],
    ['', 'https://example.com/?plan=none%20yet'],
  ])('takes %j as one encoded value', (value, expected) => {
    expect(address('https://example.com/?plan={{ custom.plan | default: "none yet" }}', value)).toBe(expected)
  })

  test('does not climb in its path', () => {
    expect(address('https://example.com/a/{{custom.plan}}/b', '..')).toBe('https://example.com/a//b')
  })

  test('stays short: a value fills at most 200 characters, and the defaults stand where it is still too long', () => {
    expect(address('https://example.com/{{custom.plan}}', 'x'.repeat(1_000))).toHaveLength(20 + 199 + 9)
    const twice = 'https://example.com/{{custom.plan|a b}}/{{custom.plan|c}}'
    expect(address(twice, '€'.repeat(200))).toBe('https://example.com/a%20b/c')
  })

  test('keeps its host and its parts whatever the answer is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const url = new URL(address('https://example.com/a/{{custom.plan}}/b?x={{custom.plan}}&y=1#z', value))
        expect([url.origin, [...url.searchParams.keys()], url.hash, url.pathname.split('/').length]).toEqual([
          'https://example.com',
          ['x', 'y'],
          '#z',
          4,
        ])
      }),
      propertyRuns(20_261_125, 100),
    )
  })
})
