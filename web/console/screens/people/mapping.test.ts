import { expect, test } from 'vitest'
import { guessTargets, nameFaults, peopleOf, proposeNames } from './mapping.ts'

test('columns are guessed by their names, each field once', () => {
  expect(guessTargets(['Full name', 'E-Mail', 'Work email', 'Mobile', 'Plan', 'Customer no', ''])).toEqual([
    'name',
    'email',
    'attribute',
    'phone',
    'attribute',
    'external_id',
    'none',
  ])
  expect(guessTargets(['Kundennummer', 'Sprache'])).toEqual(['external_id', 'language'])
})

test('each column gets a valid name of an attribute, no two alike', () => {
  expect(
    proposeNames(['attribute.plan', 'Zqx score', 'Plan', 'zqx-score', 'Größe (cm)', 'zqx_score', '', 'نقاط']),
  ).toEqual(['plan', 'zqx_score', 'Plan', 'zqx-score', 'grosse_cm', 'zqx_score_2', 'column_7', 'column_8'])
  const long = `${'x'.repeat(70)} y`
  const names = proposeNames([long, long])
  expect(names[0]).toHaveLength(64)
  expect(nameFaults(['attribute', 'attribute'], names)).toEqual(new Map())
})

test('a column that other people have as an attribute takes its spelling', () => {
  expect(proposeNames(['Country', 'PLAN', 'Plan'], ['country', 'Plan', 'plan'])).toEqual(['country', 'plan', 'Plan'])
})

test('an invalid name of an attribute is a fault, and so is a name used twice', () => {
  const targets = ['attribute', 'email', 'attribute', 'attribute', 'none'] as const
  expect(nameFaults([...targets], ['plan', 'Zqx score', ' plan ', 'Zqx score', 'plan'])).toEqual(
    new Map([
      [2, 'twice'],
      [3, 'form'],
    ]),
  )
})

test('rows become people without their empty cells', () => {
  const rows = [[' ada@example.com ', 'pro', 'x'], ['', ''], ['bob@example.com']]
  expect(peopleOf(['email', 'attribute', 'none'], ['mail', ' plan ', 'note'], rows)).toEqual([
    { email: 'ada@example.com', attributes: { plan: 'pro' } },
    {},
    { email: 'bob@example.com' },
  ])
})
