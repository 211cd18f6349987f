import { expect, test } from 'vitest'
import { surveyWith } from '../survey.fixture.ts'
import { inOrder, ordersFor } from './shuffle.ts'

const LINES = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, label: id }))
const survey = (shuffle: 'none' | 'all' | 'all_but_last') =>
  surveyWith([
    { id: 'one', type: 'single', title: 'T', choices: LINES, allow_other: true, shuffle },
    { id: 'grid', type: 'matrix', title: 'T', rows: LINES, columns: LINES, shuffle },
  ])
const seeds = Array.from({ length: 600 }, (_, index) => `seed-${index}`)

test('a seed always gives the same order, and seeds give every order about equally often', () => {
  expect(ordersFor(survey('all'), 'seed')).toEqual({ one: ['d', 'e', 'c', 'a', 'b'], grid: ['e', 'c', 'b', 'd', 'a'] })
  for (let place = 0; place < LINES.length; place++) {
    const first = seeds.filter((seed) => ordersFor(survey('all'), seed)['one']?.[place] === 'a').length
    expect(first).toBeGreaterThan(80)
    expect(first).toBeLessThan(160)
  }
})

test('all_but_last leaves the last line in its place, and none leaves all', () => {
  for (const seed of seeds) expect(ordersFor(survey('all_but_last'), seed)['one']?.[4]).toBe('e')
  expect(ordersFor(survey('none'), 'seed')).toEqual({})
})

test('an order moves rows and choices, keeps columns, and puts lines that it does not know last', () => {
  const [one, grid] = survey('all').questions
  if (one?.type !== 'single' || grid?.type !== 'matrix') throw new Error('the survey changed')
  expect(
    inOrder(one, { one: ['c', 'a', 'gone'] })
      .choices.map(({ id }) => id)
      .join(''),
  ).toBe('cabde')
  expect(
    inOrder(grid, { grid: ['e', 'd', 'c', 'b', 'a'] })
      .rows.map(({ id }) => id)
      .join(''),
  ).toBe('edcba')
  expect(inOrder(grid, { grid: ['e', 'd', 'c', 'b', 'a'] }).columns).toEqual(LINES)
})
