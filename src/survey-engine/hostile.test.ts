import { expect, test } from 'vitest'
import { evaluate } from './logic/evaluation.ts'
import { isEmail, isHttpUrl, isStorable, phoneDigits, parseNumber } from './model/formats.ts'
import { pipe, pipingBudget } from './logic/piping.ts'
import { EVERY_TYPE, surveyWith } from './survey.fixture.ts'

// A quadratic pattern needs minutes for these; the linear ones took under 50 ms each.
const LENGTH = 1_000_000
const CONTEXT = {
  definition: surveyWith(EVERY_TYPE),
  values: {},
  custom_data: {},
  variables: {},
  language: 'en',
  budget: pipingBudget(),
}

test.each<[string, string, (text: string) => unknown]>([
  ['open braces', '{'.repeat(LENGTH), (text) => pipe(text, CONTEXT)],
  ['placeholders without an end', '{{a|'.repeat(LENGTH / 4), (text) => pipe(text, CONTEXT)],
  ['one placeholder without an end', `{{${'a'.repeat(LENGTH)}`, (text) => pipe(text, CONTEXT)],
  ['fallbacks without an end', `{{a${'|'.repeat(LENGTH)}`, (text) => pipe(text, CONTEXT)],
  ['an email address', `${'a.'.repeat(LENGTH / 2)}@`, isEmail],
  ['a web address', `https://${'a'.repeat(LENGTH)}`, isHttpUrl],
  ['a phone number', '1 '.repeat(LENGTH / 2), phoneDigits],
  ['a number', `${'1'.repeat(LENGTH)}x`, parseNumber],
  ['text', 'a'.repeat(LENGTH), isStorable],
])('a megabyte of %s is read in the time of a test', (_, text, read) => {
  read(text)
})

test('deeply nested answers are refused without being followed', () => {
  let deep: unknown = 1
  for (let level = 0; level < 100_000; level++) deep = { a: [deep] }
  const answers = Object.fromEntries(EVERY_TYPE.map(({ id }) => [id, deep]))
  const { issues } = evaluate(surveyWith(EVERY_TYPE), { answers, custom_data: { a: deep }, completed: true })
  expect(issues).toHaveLength(EVERY_TYPE.length + 1)
})

test('an answer with a million items is refused by its length', () => {
  const items = Array.from({ length: LENGTH }, () => 'a')
  const { issues } = evaluate(surveyWith(EVERY_TYPE), { answers: { multi: items, ranking: items }, completed: true })
  expect(issues.map(({ path }) => path)).toEqual(['answers.multi', 'answers.ranking'])
})

test('the prototype of objects is never changed', () => {
  const raw: unknown = JSON.parse(
    '{"__proto__": {"polluted": 1}, "matrix": {"__proto__": "good"}, "contact": {"__proto__": "x"}}',
  )
  const { issues } = evaluate(surveyWith(EVERY_TYPE), { answers: raw, custom_data: raw, completed: true })
  expect(issues.map(({ path }) => path)).toEqual([
    'answers.__proto__',
    'answers.matrix',
    'answers.contact',
    'custom_data.__proto__',
    'custom_data.matrix',
    'custom_data.contact',
  ])
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})
