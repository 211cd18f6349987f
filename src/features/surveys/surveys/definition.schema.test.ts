import { expect, test } from 'vitest'
import { EVERY_TYPE } from '../../../survey-engine/survey.fixture.ts'
import type { Setting } from '../../../survey-engine/types/settings.ts'
import { QUESTION_TYPES, settingsOf } from '../../../survey-engine/types/registry.ts'
import { QuestionBody } from './definition.schema.ts'

/** The least value of a setting, and a value that it refuses. */
function valuesOf(setting: Setting): [good: unknown, bad: unknown] {
  switch (setting.kind) {
    case 'text':
      return [{ en: 'Why?', de: 'Warum?' }, 1]
    case 'lines':
      return [[{ id: 'a', label: 'A' }], [{ id: 'a' }]]
    case 'switch':
      return [true, 'yes']
    case 'number':
      return [setting.max, setting.max + 1]
    case 'day':
      return ['2026-11-22', 'today']
    case 'one':
      return [setting.of.at(-1), 'other']
    case 'several':
      return [[...setting.of], ['other']]
  }
}

test.each(QUESTION_TYPES)('the API takes each setting of the type %s, and no other', (type) => {
  const settings = settingsOf(type)
  const question = {
    id: 'q1',
    type,
    title: 'Why?',
    ...Object.fromEntries(settings.map(([name, setting]) => [name, valuesOf(setting)[0]])),
  }
  expect(QuestionBody.parse(question)).toEqual(question)
  for (const [name, setting] of settings)
    expect(QuestionBody.safeParse({ ...question, [name]: valuesOf(setting)[1] }).success, name).toBe(false)
  expect(QuestionBody.safeParse({ ...question, colour: 'red' }).success).toBe(false)
})

test('the plainest question of each type is one, and its lines are needed', () => {
  expect(new Set(EVERY_TYPE.map(({ type }) => type))).toEqual(new Set(QUESTION_TYPES))
  for (const question of EVERY_TYPE) expect(QuestionBody.parse(question)).toEqual(question)
  expect(QuestionBody.safeParse({ id: 'q1', type: 'rating', title: 'T' }).success).toBe(false)
  expect(QuestionBody.safeParse({ id: 'q1', type: 'single', title: 'T' }).success).toBe(false)
  expect(QuestionBody.safeParse({ id: 'q1', type: 'slider', title: 'T', step: 0 }).success).toBe(false)
})
