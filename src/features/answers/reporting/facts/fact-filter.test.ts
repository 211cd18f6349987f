import { expect, test } from 'vitest'
import { EVERY_TYPE } from '../../../../survey-engine/survey.fixture.ts'
import { behaviourOf, scaleOf, QUESTION_TYPES } from '../../../../survey-engine/types/registry.ts'
import { addFields } from '../../../../platform/filter/entity.ts'
import { responses } from '../../rows/response.entity.ts'
import { factFilter } from './fact-filter.ts'

test('a filter of fifty tests of a field with a thousand values lets other work run while it is decided', async () => {
  addFields('responses', responses.filters)
  const cells = Array.from({ length: 1_000 }, (_, at) => JSON.stringify(['custom', 'order', `"o${at}"`]))
  const tests = Array.from({ length: 50 }, (_, at) => ({ field: 'custom.order', op: 'eq' as const, value: `o${at}` }))
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  const found = await factFilter({ all: tests }, cells, new Date())
  clearInterval(timer)
  expect(found?.tests).toEqual(cells.slice(0, 50).map((cell) => [cell]))
  expect(turns).toBeGreaterThan(3)
})

test('of every type, facts decide about the answers that are a number of a scale or choices in no order', async () => {
  addFields('responses', responses.filters)
  expect(new Set(EVERY_TYPE.map(({ type }) => type))).toEqual(new Set(QUESTION_TYPES))
  for (const question of EVERY_TYPE) {
    const { id, type } = question
    const value = scaleOf(question) ? 3 : 'a'
    const cells = [JSON.stringify(['answer', id, type, null, String(value)])]
    const found = await factFilter({ all: [{ field: `answer.${id}`, op: 'eq', value }] }, cells, new Date())
    const isChosen = 'choices' in question && behaviourOf(question).comparison(question).operators.includes('eq')
    expect(found?.tests ?? null, id).toEqual(scaleOf(question) || isChosen ? [cells] : null)
  }
})
