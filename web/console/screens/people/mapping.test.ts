import { expect, test } from 'vitest'
import { guessTargets, peopleOf } from './mapping.ts'

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

test('rows become people without their empty cells', () => {
  const columns = ['Mail', 'attribute.plan', 'Note']
  expect(
    peopleOf(
      columns,
      ['email', 'attribute', 'none'],
      [[' ada@example.com ', 'pro', 'x'], ['', ''], ['bob@example.com']],
    ),
  ).toEqual([{ email: 'ada@example.com', attributes: { plan: 'pro' } }, {}, { email: 'bob@example.com' }])
})
