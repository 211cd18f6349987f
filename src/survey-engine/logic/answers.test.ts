import { describe, expect, test } from 'vitest'
import type { Question } from '../model/definition.ts'
import { EVERY_TYPE, completedWith, partialWith, surveyWith } from '../survey.fixture.ts'

const everyType = surveyWith(EVERY_TYPE)

function reading(id: string, raw: unknown): unknown {
  const { issues, values } = partialWith(everyType, { [id]: raw })
  if (issues.length > 0) return issues.map(({ path }) => path)
  return values[id]
}

describe('a valid answer is kept in its normalised form', () => {
  test.each<[string, unknown, unknown]>([
    ['nps', 0, 0],
    ['nps', 10, 10],
    ['csat', 1, 1],
    ['csat', 5, 5],
    ['ces', 7, 7],
    ['rating', 4, 4],
    ['nps', '9', 9],
    ['nps', ' 10 ', 10],
    ['nps', '٩', 9],
    ['nps', '9.0', 9],
    ['csat', '5', 5],
    ['ces', '07', 7],
    ['rating', '4', 4],
    ['slider', '50', 50],
    ['nps', ' ', undefined],
    ['slider', '', undefined],
    ['single', 'b', 'b'],
    ['single', { other: ' Cherry ' }, { other: 'Cherry' }],
    ['single', 'other', { other: '' }],
    ['single', { other: 'x'.repeat(1000) }, { other: 'x'.repeat(1000) }],
    ['dropdown', 'a', 'a'],
    ['multi', ['c', 'a'], ['c', 'a']],
    ['multi', ['a', { other: 'Fig' }], ['a', { other: 'Fig' }]],
    ['picture', 'a', 'a'],
    ['pictures', ['a', 'b'], ['a', 'b']],
    ['ranking', ['c', 'a', 'b'], ['c', 'a', 'b']],
    ['matrix', { speed: 'good', care: null }, { speed: 'good' }],
    ['words', ' as typed ', ' as typed '],
    ['email', ' jörg.o+x@bücher.example ', 'jörg.o+x@bücher.example'],
    ['url', ' https://example.com/a?b=1#c ', 'https://example.com/a?b=1#c'],
    ['number', ' -3.50 ', -3.5],
    ['number', 12.5, 12.5],
    ['number', '12345678901234567890', '12345678901234567890'],
    ['phone', '+٤٩ ٣٠ ١٢٣٤٥٦', '+4930123456'],
    ['phone', ' +49 (30) 123-456 ', '+4930123456'],
    ['phone', '0301234567', '0301234567'],
    ['date', ' 2024-02-29 ', '2024-02-29'],
    ['consent', false, false],
    ['contact', { name: ' Ada ', email: 'ada@example.com', company: '' }, { name: 'Ada', email: 'ada@example.com' }],
  ])('%s takes %j as %j', (id, raw, value) => {
    expect(reading(id, raw)).toEqual(value)
  })
})

describe('an answer that breaks the rules is an issue of its question', () => {
  test.each<[string, unknown]>([
    ['nps', -1],
    ['nps', 11],
    ['nps', 9.5],
    ['nps', NaN],
    ['nps', Infinity],
    ['csat', 0],
    ['csat', 6],
    ['ces', 0],
    ['ces', 8],
    ['rating', 5],
    ['nps', '11'],
    ['nps', '9.5'],
    ['nps', 'nine'],
    ['nps', '9/10'],
    ['nps', ['9']],
    ['nps', true],
    ['rating', '5'],
    ['slider', '0.5'],
    ['slider', 'half'],
    ['single', 'd'],
    ['single', ['a']],
    ['single', { other: 'x', more: 'y' }],
    ['single', { other: 5 }],
    ['single', { other: 'x'.repeat(1001) }],
    ['single', { other: 'nul\0' }],
    ['single', 'constructor'],
    ['dropdown', { other: 'x' }],
    ['dropdown', 'other'],
    ['multi', 'a'],
    ['multi', ['a', 'a']],
    ['multi', [{ other: 'x' }, { other: 'y' }]],
    ['multi', ['a', 'd']],
    ['picture', ['a']],
    ['pictures', 'a'],
    ['ranking', ['a', 'b']],
    ['ranking', ['a', 'b', 'b']],
    ['ranking', ['a', 'b', 'c', 'a']],
    ['matrix', { speed: 'fair' }],
    ['matrix', { price: 'good' }],
    ['matrix', { constructor: 'good' }],
    ['matrix', ['good']],
    ['words', 7],
    ['words', 'x'.repeat(5001)],
    ['words', 'nul\0'],
    ['words', 'half a pair \ud83d'],
    ['email', 'ada@example'],
    ['email', 'a b@example.com'],
    ['email', '@example.com'],
    ['email', 'ada@-example.com'],
    ['email', `${'a'.repeat(250)}@example.com`],
    ['url', 'javascript:alert(1)'],
    ['url', 'ftp://example.com'],
    ['url', 'example.com'],
    ['url', 'https://'],
    ['url', 'https://exa mple.com'],
    ['number', '1,5'],
    ['number', '0x10'],
    ['number', 'Infinity'],
    ['number', '1e999'],
    ['phone', '123456'],
    ['phone', '+1234567890123456'],
    ['phone', 'call 5551234'],
    ['phone', '++4930123456'],
    ['date', '2023-02-29'],
    ['date', '2024-13-01'],
    ['date', '2024-04-31'],
    ['date', '2024-1-01'],
    ['date', '2023-12-31'],
    ['date', '2025-01-01'],
    ['date', 20240101],
    ['consent', 'true'],
    ['contact', 'Ada'],
    ['contact', { fax: '1' }],
    ['contact', { email: 'no address' }],
    ['contact', { phone: '12' }],
    ['contact', { name: 5 }],
    ['contact', { name: 'x'.repeat(321) }],
    ['contact', { name: 'nul\0' }],
    ['statement', 'read'],
  ])('%s refuses %j', (id, raw) => {
    expect(reading(id, raw)).toEqual([`answers.${id}`])
  })
})

test.each<[string, unknown]>([
  ['words', null],
  ['words', '   '],
  ['email', ''],
  ['date', ' '],
  ['multi', []],
  ['ranking', []],
  ['matrix', {}],
  ['matrix', { speed: null }],
  ['contact', { name: ' ', email: null }],
  ['nps', undefined],
  ['statement', null],
])('%s takes %j for not answered', (id, raw) => {
  expect(reading(id, raw)).toBeUndefined()
  expect(partialWith(everyType, { [id]: raw }).issues).toEqual([])
})

test('a score of negative zero is stored as zero', () => {
  expect(Object.is(reading('nps', -0), 0)).toBe(true)
})

test('a key that every object has never counts as an answer', () => {
  const raw: Record<string, unknown> = JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3}')
  expect(completedWith(everyType, raw).issues.map(({ path }) => path)).toEqual([
    'answers.__proto__',
    'answers.constructor',
    'answers.toString',
  ])
})

describe('the bounds of a question', () => {
  const multi: Question = { id: 'multi', title: 'T', type: 'multi', choices: [], min_choices: 2, max_choices: 2 }
  const bounded = surveyWith([
    { ...multi, choices: ['a', 'b', 'c'].map((id) => ({ id, label: id })), allow_other: true },
    { id: 'short', type: 'open_text', title: 'T', max_length: 3 },
  ])
  test.each<[string, unknown, boolean]>([
    ['multi', ['a'], false],
    ['multi', ['a', 'b'], true],
    ['multi', ['a', { other: '' }], true],
    ['multi', ['a', 'b', 'c'], false],
    ['short', 'abc', true],
    ['short', 'abcd', false],
  ])('%s with %j fits: %j', (id, raw, fits) => {
    expect(partialWith(bounded, { [id]: raw }).issues.length === 0).toBe(fits)
  })
})

describe('a required question holds back completion only', () => {
  const cases: [string, Question, unknown][] = [
    ['no answer', { id: 'q', type: 'nps', title: 'T', required: true }, undefined],
    ['blank text', { id: 'q', type: 'open_text', title: 'T', required: true }, ' '],
    ['text that nobody sees', { id: 'q', type: 'open_text', title: 'T', required: true }, '\u200b\u2060\u3164'],
    ['a refused consent', { id: 'q', type: 'consent', title: 'T', required: true }, false],
    [
      'a matrix without every row',
      {
        id: 'q',
        type: 'matrix',
        title: 'T',
        required: true,
        rows: [
          { id: 'r1', label: '' },
          { id: 'r2', label: '' },
        ],
        columns: [{ id: 'x', label: '' }],
      },
      { r1: 'x' },
    ],
    [
      'a contact without its required field',
      { id: 'q', type: 'contact', title: 'T', required_fields: ['email'] },
      { name: 'Ada' },
    ],
    [
      'no contact though a field is required',
      { id: 'q', type: 'contact', title: 'T', required_fields: ['email'] },
      null,
    ],
  ]
  test.each(cases)('%s', (_, question, raw) => {
    const definition = surveyWith([question])
    expect(partialWith(definition, { q: raw }).issues).toEqual([])
    expect(partialWith(definition, { q: raw }).next).toBe('q')
    expect(completedWith(definition, { q: raw }).issues.map(({ path }) => path)).toEqual(['answers.q'])
  })

  test('a required statement asks for nothing', () => {
    expect(completedWith(surveyWith([{ id: 'q', type: 'statement', title: 'T', required: true }]), {}).issues).toEqual(
      [],
    )
  })
})
