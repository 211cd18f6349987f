import { expect, test } from 'vitest'
import type { AnswerValues, CustomData, Variables } from '../model/definition.ts'
import { matchingQuotas } from './quotas.ts'
import { AFTER_DELIVERY, EVERY_TYPE, surveyWith } from '../survey.fixture.ts'

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

test.each<[string, string, string[]]>([
  ['number', '5.0', ['five', 'some']],
  ['number', '10', ['some']],
  ['words', '5', ['some']],
  ['words', '5.0', ['some']],
])('a %s field with %s is compared as what it holds', (id, value, ids) => {
  const quotas = [
    { id: 'five', when: { question: 'number', op: 'eq' as const, value: 5 }, limit: 1 },
    { id: 'worded', when: { question: 'words', op: 'eq' as const, value: '5.00' }, limit: 1 },
    { id: 'some', when: { question: id, op: 'is_answered' as const }, limit: 1 },
  ]
  expect(matchingQuotas(surveyWith(EVERY_TYPE, { quotas }), { [id]: value }, {}, {})).toEqual(ids)
})
