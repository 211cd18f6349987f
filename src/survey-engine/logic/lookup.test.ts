import { expect, test, vi } from 'vitest'
import type { Rule } from '../model/definition.ts'
import { evaluate } from './evaluation.ts'
import { surveyWith } from '../survey.fixture.ts'

const rulesOf = (question: string, op: 'contains' | 'ends_with', value: string): Rule[] =>
  Array.from({ length: 50 }, () => ({
    when: { any: Array.from({ length: 100 }, () => ({ question, op, value })) },
    then: [],
  }))

test('an evaluation folds the first and the last 1,000 characters of an answer once, however many conditions compare it', () => {
  const logic = [...rulesOf('q', 'contains', 'needle'), ...rulesOf('q', 'ends_with', 'needle')]
  const survey = surveyWith([{ id: 'q', type: 'open_text', title: 'T', max_length: 50_000 }], { logic })
  const fold = vi.spyOn(String.prototype, 'toLowerCase')
  evaluate(survey, { answers: { q: 'X'.repeat(50_000) }, completed: true })
  const lengths = fold.mock.contexts.map((text) => String(text).length).filter((length) => length > 'needle'.length)
  fold.mockRestore()
  expect(lengths).toEqual([1_000, 1_000])
})

test('an evaluation lists and indexes the cells of a matrix once, however many conditions compare them', () => {
  const lines = Array.from({ length: 50 }, (_, index) => ({ id: `l${index}`, label: 'L' }))
  const survey = surveyWith([{ id: 'q', type: 'matrix', title: 'T', rows: lines, columns: lines }], {
    logic: rulesOf('q', 'contains', 'l1:l2'),
  })
  const answers = { q: Object.fromEntries(lines.map(({ id }) => [id, 'l1'])) }
  const entries = vi.spyOn(Object, 'entries')
  const search = vi.spyOn(Array.prototype, 'includes')
  evaluate(survey, { answers, completed: true })
  const { length } = entries.mock.calls.filter(([object]) => 'l49' in object)
  const searches = search.mock.contexts.filter((list) => (list as unknown[]).length === 50).length
  entries.mockRestore()
  search.mockRestore()
  expect(length).toBeLessThan(5)
  expect(searches).toBe(0)
})

test('an evaluation compares an answer as a number and a day once, and the values of tests are prepared for all evaluations', () => {
  const logic: Rule[] = Array.from({ length: 50 }, () => ({
    when: {
      any: Array.from({ length: 100 }, (_, n) => ({ custom: 'p', op: 'gt', value: `2026-01-${10 + (n % 20)}` })),
    },
    then: [],
  }))
  const survey = surveyWith([{ id: 'q', type: 'open_text', title: 'T' }], { logic, custom_fields: ['p'] })
  const parse = vi.spyOn(RegExp.prototype, 'test')
  const parsed = () => {
    const before = parse.mock.calls.length
    evaluate(survey, { answers: {}, custom_data: { p: '2025-01-01' }, completed: true })
    return parse.mock.calls.length - before
  }
  const [first, second] = [parsed(), parsed()]
  parse.mockRestore()
  expect(first).toBeGreaterThan(5_000)
  expect(second).toBeLessThan(20)
})
