import { describe, expect, test } from 'vitest'
import { checkCondition, operatorsOf } from './condition-checks.ts'
import type { Condition, ConditionLeaf, Question, SurveyDefinition } from './definition.ts'
import { OPERATORS } from './definition.ts'
import { Issues } from './issues.ts'
import { namesIn } from './names.ts'
import { checkPublishable } from './publish-checks.ts'
import { EVERY_TYPE, surveyWith } from './survey.fixture.ts'

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
  const condition: Condition = { all: Array.from({ length: 1_000 }, () => ({ question: 'm', op: 'contains', value: 'l3:l4' })) }
  const issues = new Issues()
  checkCondition(issues, condition, 'when', namesIn(surveyWith([matrix])))
  expect(issues.found).toEqual([])
  expect(read).toBeLessThan(1_000)
})
