import { expect, test } from 'vitest'
import type { AnswerValues, CustomData, Variables } from './definition.ts'
import { matchingQuotas } from './quotas.ts'
import { AFTER_DELIVERY } from './survey.fixture.ts'

const DEFINITION = {
  ...AFTER_DELIVERY,
  quotas: [
    { id: 'all', limit: 100 },
    { id: 'detractors', when: { question: 'q1', op: 'lte' as const, value: 6 }, limit: 10 },
    { id: 'others', when: { question: 'q2', op: 'eq' as const, value: 'other' }, limit: 10 },
    { id: 'pro', when: { custom: 'plan', op: 'eq' as const, value: 'pro' }, limit: 10 },
    { id: 'rich', when: { variable: 'points', op: 'gte' as const, value: 5 }, limit: 10 },
  ],
}

test.each<[AnswerValues, CustomData, Variables, string[]]>([
  [{}, {}, {}, ['all']],
  [{ q1: 6 }, {}, {}, ['all', 'detractors']],
  [{ q1: 9, q2: { other: 'Fig' } }, { plan: 'free' }, { points: 4 }, ['all', 'others']],
  [{ q1: 9 }, { plan: 'pro' }, { points: 5 }, ['all', 'pro', 'rich']],
])('a response with %j, %j and %j counts against its quotas', (values, customData, variables, ids) => {
  expect(matchingQuotas(DEFINITION, values, customData, variables)).toEqual(ids)
})
