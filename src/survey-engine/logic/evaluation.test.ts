import { describe, expect, test } from 'vitest'
import type { Question } from '../model/definition.ts'
import { evaluate } from './evaluation.ts'
import { AFTER_DELIVERY, completedWith, partialWith, surveyWith } from '../survey.fixture.ts'

describe('answers that the survey does not take', () => {
  test('an unknown question is an issue', () => {
    expect(partialWith(AFTER_DELIVERY, { q9: 1 }).issues.map(({ path }) => path)).toEqual(['answers.q9'])
    expect(partialWith(AFTER_DELIVERY, { 'grace@example.com': 1 }).issues.map(({ path }) => path)).toEqual(['answers'])
  })

  test('an answer off the path is dropped without an issue, even when it is not valid', () => {
    const { issues, values } = completedWith(AFTER_DELIVERY, { q1: 2, q2: 'no such choice' })
    expect({ issues, values }).toEqual({ issues: [], values: { q1: 2 } })
  })

  test('an invalid answer on the path is an issue and no value', () => {
    const { issues, values } = completedWith(AFTER_DELIVERY, { q1: 9, q2: 'no such choice' })
    expect(issues).toEqual([{ path: 'answers.q2', message: 'Choose one of the choice ids of this question.' }])
    expect(values).toEqual({ q1: 9 })
  })

  test('an invalid required answer is one issue, not two', () => {
    expect(completedWith(AFTER_DELIVERY, { q1: 99 }).issues).toHaveLength(1)
  })

  test('at most 100 issues are reported, each with a short path', () => {
    const answers = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`${'x'.repeat(5_000)}${index}`, 1]))
    const { issues } = evaluate(AFTER_DELIVERY, { answers, custom_data: answers, completed: true })
    expect(issues).toHaveLength(100)
    expect(Math.max(...issues.map(({ path }) => path.length))).toBeLessThan(100)
  })

  test.each([[null], ['text'], [[1]], [7]])('answers of %j are an issue', (answers) => {
    const { issues, values } = evaluate(AFTER_DELIVERY, { answers, completed: false })
    expect(issues.map(({ path }) => path)).toEqual(['answers'])
    expect(values).toEqual({})
  })
})

describe('custom data', () => {
  const evaluateCustom = (custom_data: unknown) =>
    evaluate(AFTER_DELIVERY, { answers: {}, custom_data, completed: false })

  test.each([['pro'], [0], [1.5], [false], ['x'.repeat(1_000)], ['']])('takes %j', (plan) => {
    const { issues, custom_data } = evaluateCustom({ plan })
    expect({ issues, custom_data }).toEqual({ issues: [], custom_data: { plan } })
  })

  test.each([[NaN], [Infinity], [{}], [['a']], ['x'.repeat(1_001)], ['nul\0'], ['\udc00']])('refuses %j', (plan) => {
    const { issues, custom_data } = evaluateCustom({ plan })
    expect(issues.map(({ path }) => path)).toEqual(['custom_data.plan'])
    expect(custom_data).toEqual({})
  })

  test('takes null for not sent', () => {
    expect(evaluateCustom({ plan: null })).toMatchObject({ issues: [], custom_data: {} })
    expect(evaluateCustom(null)).toMatchObject({ issues: [], custom_data: {} })
  })

  test('refuses fields that are not declared, those that every object has included', () => {
    const raw: unknown = JSON.parse('{"foo": 1, "__proto__": {"plan": "pro"}, "constructor": 1}')
    expect(evaluateCustom(raw).issues.map(({ path }) => path)).toEqual([
      'custom_data.foo',
      'custom_data.__proto__',
      'custom_data.constructor',
    ])
    expect(evaluateCustom({ 'grace@example.com': 1 }).issues.map(({ path }) => path)).toEqual(['custom_data'])
    expect(evaluateCustom('plan').issues.map(({ path }) => path)).toEqual(['custom_data'])
  })
})

describe('next', () => {
  const questions: Question[] = [
    { id: 'hello', type: 'statement', title: 'T' },
    { id: 'q1', type: 'nps', title: 'T', required: true },
    { id: 'q2', type: 'open_text', title: 'T' },
    { id: 'note', type: 'statement', title: 'T' },
    { id: 'q3', type: 'csat', title: 'T' },
  ]
  const nextOf = (answers: Record<string, unknown>, seen?: string[]) =>
    evaluate(surveyWith(questions), { answers, completed: false, ...(seen ? { seen } : {}) }).next

  test.each<[string, Record<string, unknown>, string[] | undefined, string | null]>([
    ['begins with the first question', {}, undefined, 'hello'],
    ['passes a statement that was seen', {}, ['hello'], 'q1'],
    ['passes whatever is optional before the last answer', { q1: 9 }, undefined, 'q2'],
    ['passes an optional question that was seen', { q1: 9 }, ['q2'], 'note'],
    ['never passes a required question', { q3: 5 }, ['hello', 'q1'], 'q1'],
    ['is null when every question was put', { q1: 9, q3: 5 }, undefined, null],
    ['is null when the rest was seen', { q1: 9 }, ['q2', 'note', 'q3'], null],
  ])('%s', (_, answers, seen, next) => {
    expect(nextOf(answers, seen)).toBe(next)
  })

  test('follows the logic', () => {
    expect(partialWith(AFTER_DELIVERY, { q1: 3 }).next).toBe('q3')
    expect(partialWith(AFTER_DELIVERY, { q1: 9 }).next).toBe('q2')
  })
})

test('a partial save keeps a later answer while an earlier question is open', () => {
  expect(partialWith(AFTER_DELIVERY, { q3: 'Fine' })).toMatchObject({ issues: [], values: { q3: 'Fine' }, next: 'q1' })
})
