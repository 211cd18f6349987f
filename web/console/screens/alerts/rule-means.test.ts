import { expect, test } from 'vitest'
import { DETRACTORS, leavesScaleOpen } from './rule-means.ts'

const LOW = { field: 'score', op: 'lte', value: 6 }
const CSAT = { field: 'metric', op: 'eq', value: 'csat' }

test.each([
  ['a score of all surveys', { all: [LOW] }, [], true],
  ['a score of several surveys', { all: [LOW] }, ['srv_1', 'srv_2'], true],
  ['a score of one survey', { all: [LOW] }, ['srv_1'], false],
  ['a score of one metric', { all: [LOW, CSAT] }, [], false],
  ['a score inside a group', { any: [{ not: LOW }] }, [], true],
  ['no score', { all: [CSAT] }, [], false],
  ['no condition', { all: [] }, [], false],
  ['the rule that a new one begins with', DETRACTORS, [], false],
])('whether a scale is left open: %s', (_, filter, surveyIds, isOpen) => {
  expect(leavesScaleOpen(filter, surveyIds)).toBe(isOpen)
})
