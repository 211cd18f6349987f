import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkCondition, operatorsOf } from './condition-checks.ts'
import { satisfies } from '../logic/condition.ts'
import {
  type Condition,
  type ConditionLeaf,
  type Question,
  type SurveyDefinition,
  Issues,
} from '../model/definition.ts'
import { OPERATORS } from '../model/definition.ts'
import { namesIn } from '../model/names.ts'
import { checkPublishable } from './publish-checks.ts'
import { CHOICES, EVERY_TYPE, surveyWith } from '../survey.fixture.ts'
import { propertyRuns } from '../../testing/property-runs.ts'

describe('a comparison must fit its question', () => {
  const comparing = (leaf: ConditionLeaf): SurveyDefinition =>
    surveyWith(EVERY_TYPE, {
      custom_fields: ['plan'],
      variables: { x: 1 },
      quotas: [{ id: 'quota', limit: 1, when: leaf }],
    })

  test.each<ConditionLeaf>([
    { question: 'nps', op: 'between', value: [0, 6] },
    { question: 'rating', op: 'one_of', value: [1, 2] },
    { question: 'single', op: 'eq', value: 'other' },
    { question: 'multi', op: 'all_of', value: ['a', 'other'] },
    { question: 'multi', op: 'eq', value: ['a', 'b'] },
    { question: 'pictures', op: 'contains', value: 'a' },
    { question: 'ranking', op: 'starts_with', value: 'a' },
    { question: 'matrix', op: 'contains', value: 'speed:good' },
    { question: 'words', op: 'contains', value: 'late' },
    { question: 'number', op: 'gte', value: 5 },
    { question: 'date', op: 'before', value: '2024-02-29' },
    { question: 'consent', op: 'eq', value: true },
    { question: 'contact', op: 'is_skipped' },
    { question: 'nps', op: 'gt', value: 9 },
    { question: 'nps', op: 'one_of', value: [10, 16] },
    { question: 'nps', op: 'ne', value: 16 },
    { question: 'date', op: 'after', value: '2024-12-30' },
    { question: 'date', op: 'between', value: ['2020-01-01', '2024-01-01'] },
    { question: 'date', op: 'between', value: ['2024-12-31', '2030-01-01'] },
    { question: 'matrix', op: 'all_of', value: ['speed:good', 'care:good', 'care:good'] },
    { custom: 'plan', op: 'starts_with', value: 'p' },
    { variable: 'x', op: 'gt', value: 3 },
  ])('%j fits', (leaf) => {
    expect(checkPublishable(comparing(leaf))).toEqual([])
  })

  test.each<[ConditionLeaf, string]>([
    [{ question: 'nps', op: 'contains', value: '9' }, 'op'],
    [{ question: 'nps', op: 'before', value: '2024-01-01' }, 'op'],
    [{ question: 'nps', op: 'eq', value: 'nine' }, 'value'],
    [{ question: 'nps', op: 'eq' }, 'value'],
    [{ question: 'nps', op: 'between', value: [6, 0] }, 'value'],
    [{ question: 'nps', op: 'between', value: [0] }, 'value'],
    [{ question: 'nps', op: 'between', value: 5 }, 'value'],
    [{ question: 'nps', op: 'one_of', value: [] }, 'value'],
    [{ question: 'nps', op: 'eq', value: [5] }, 'value'],
    [{ question: 'single', op: 'gt', value: 'a' }, 'op'],
    [{ question: 'single', op: 'eq', value: 'd' }, 'value'],
    [{ question: 'dropdown', op: 'eq', value: 'other' }, 'value'],
    [{ question: 'picture', op: 'contains', value: 'a' }, 'op'],
    [{ question: 'multi', op: 'gt', value: 1 }, 'op'],
    [{ question: 'ranking', op: 'eq', value: 'a' }, 'op'],
    [{ question: 'matrix', op: 'contains', value: 'good' }, 'value'],
    [{ question: 'words', op: 'gt', value: 5 }, 'op'],
    [{ question: 'number', op: 'contains', value: '5' }, 'op'],
    [{ question: 'number', op: 'eq', value: 'five' }, 'value'],
    [{ question: 'date', op: 'before', value: 'tomorrow' }, 'value'],
    [{ question: 'date', op: 'between', value: ['2024-01-01', 'tomorrow'] }, 'value'],
    [{ question: 'consent', op: 'eq', value: 'yes' }, 'value'],
    [{ question: 'contact', op: 'contains', value: 'Ada' }, 'op'],
    [{ question: 'statement', op: 'is_answered' }, 'op'],
    [{ question: 'nps', op: 'eq', value: 16 }, 'value'],
    [{ question: 'nps', op: 'eq', value: 9.5 }, 'value'],
    [{ question: 'nps', op: 'gt', value: 10 }, 'value'],
    [{ question: 'nps', op: 'lt', value: 0 }, 'value'],
    [{ question: 'nps', op: 'between', value: [11, 20] }, 'value'],
    [{ question: 'nps', op: 'between', value: [8.1, 8.9] }, 'value'],
    [{ question: 'nps', op: 'one_of', value: [11, -1] }, 'value'],
    [{ question: 'csat', op: 'lte', value: 0 }, 'value'],
    [{ question: 'rating', op: 'gte', value: 5 }, 'value'],
    [{ question: 'date', op: 'eq', value: '2025-01-01' }, 'value'],
    [{ question: 'date', op: 'after', value: '2024-12-31' }, 'value'],
    [{ question: 'date', op: 'before', value: '2024-01-01' }, 'value'],
    [{ question: 'date', op: 'between', value: ['2020-01-01', '2023-12-31'] }, 'value'],
    [{ question: 'matrix', op: 'all_of', value: ['speed:good', 'speed:bad'] }, 'value'],
    [{ custom: 'plan', op: 'before', value: 'tomorrow' }, 'value'],
    [{ custom: 'age', op: 'is_answered' }, 'custom'],
    [{ variable: 'y', op: 'is_answered' }, 'variable'],
  ])('%j has a wrong %s', (leaf, key) => {
    expect(checkPublishable(comparing(leaf)).map(({ path }) => path)).toEqual([`quotas.0.when.${key}`])
  })

  test('every operator fits some question', () => {
    const fitting = new Set(EVERY_TYPE.flatMap(operatorsOf))
    expect(OPERATORS.filter((op) => !fitting.has(op))).toEqual([])
  })
})

describe('tests that no answer passes', () => {
  const pathsOf = (when: Condition) =>
    checkPublishable(surveyWith(EVERY_TYPE, { quotas: [{ id: 'quota', limit: 1, when }] })).map(({ path }) => path)
  const nps = (op: ConditionLeaf['op'], value?: number): ConditionLeaf => ({
    question: 'nps',
    op,
    ...(value === undefined ? {} : { value }),
  })

  test('are found on every scale, and no others', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<[string, number[]]>(
          ['nps', range(0, 10)],
          ['csat', range(1, 5)],
          ['ces', range(1, 7)],
          ['rating', range(1, 4)],
        ),
        fc.constantFrom<ConditionLeaf['op']>('eq', 'ne', 'gt', 'gte', 'lt', 'lte'),
        fc.oneof(fc.integer({ min: -2, max: 12 }), fc.double({ min: -1, max: 11, noNaN: true })),
        ([question, scores], op, value) => {
          const possible = scores.some((score) => satisfies(score, { op, value }))
          expect(pathsOf({ question, op, value })).toEqual(possible ? [] : ['quotas.0.when.value'])
        },
      ),
      propertyRuns(20_261_125, 100),
    )
  })

  test.each<[string, Condition, string[]]>([
    ['contradict one another', { all: [nps('gte', 9), nps('lte', 6)] }, ['quotas.0.when.all.1.value']],
    [
      'leave a gap between whole numbers',
      { all: [nps('gt', 8), nps('ne', 9), nps('lt', 10)] },
      ['quotas.0.when.all.2.value'],
    ],
    ['ask for an answer and for none', { all: [nps('eq', 9), nps('is_skipped')] }, ['quotas.0.when.all.1.value']],
    [
      'contradict across nested alls',
      { all: [nps('gte', 9), { all: [{ all: [nps('eq', 3)] }] }] },
      ['quotas.0.when.all.1.all.0.all.0.value'],
    ],
    [
      'contradict in one branch',
      { any: [nps('eq', 1), { all: [nps('eq', 1), nps('eq', 2)] }] },
      ['quotas.0.when.any.1.all.1.value'],
    ],
    [
      'contradict below an any',
      { all: [nps('eq', 1), { any: [{ all: [nps('eq', 1), nps('eq', 2)] }] }] },
      ['quotas.0.when.all.1.any.0.all.1.value'],
    ],
    ['stand in different branches', { any: [nps('gte', 9), nps('lte', 6)] }, []],
    ['are about different questions', { all: [nps('eq', 1), { question: 'csat', op: 'eq', value: 5 }] }, []],
    ['overlap', { all: [nps('gte', 3), nps('lte', 3)] }, []],
    ['are impossible already', { all: [nps('eq', 16), nps('eq', 3)] }, ['quotas.0.when.all.0.value']],
  ])('tests that %s', (_, when, paths) => {
    expect(pathsOf(when)).toEqual(paths)
  })

  test.each<[ConditionLeaf['op'], string[], number, number, boolean]>([
    ['eq', ['a', 'b', 'c'], 0, 2, false],
    ['eq', ['a'], 2, 3, false],
    ['eq', ['a', 'b'], 2, 2, true],
    ['all_of', ['a', 'b', 'c'], 0, 2, false],
    ['all_of', ['a', 'b', 'a'], 0, 2, true],
    ['one_of', ['a', 'b', 'c'], 0, 1, true],
  ])('%s %j where %i to %i choices are allowed: %s', (op, value, min_choices, max_choices, possible) => {
    const survey = surveyWith([{ id: 'm', type: 'multi', title: 'T', choices: CHOICES, min_choices, max_choices }])
    const issues = checkPublishable({ ...survey, quotas: [{ id: 'a', limit: 1, when: { question: 'm', op, value } }] })
    expect(issues.length === 0).toBe(possible)
  })
})

function range(low: number, high: number): number[] {
  return Array.from({ length: high - low + 1 }, (_, index) => low + index)
}

test('a survey that compares with a large matrix thousands of times collects its ids once', () => {
  let read = 0
  const lines = Array.from({ length: 200 }, (_, index) => ({
    label: 'L',
    get id() {
      read += 1
      return `l${index}`
    },
  }))
  const matrix: Question = { id: 'm', type: 'matrix', title: 'T', rows: lines, columns: lines }
  const condition: Condition = {
    all: Array.from({ length: 1_000 }, () => ({ question: 'm', op: 'contains', value: 'l3:l4' })),
  }
  const issues = new Issues()
  checkCondition(issues, condition, 'when', namesIn(surveyWith([matrix])))
  expect(issues.found).toEqual([])
  expect(read).toBeLessThan(1_000)
})
