import { describe, expect, test } from 'vitest'
import type { Condition, Question, Rule, SurveyDefinition } from '../model/definition.ts'
import { checkDraft, draftChecks } from './draft-checks.ts'
import { publishChecks } from './publish-checks.ts'
import { AFTER_DELIVERY, CHOICES, EVERY_TYPE, surveyWith } from '../survey.fixture.ts'

const Q: Question = { id: 'q', type: 'nps', title: 'T' }
const pathsOf = (definition: SurveyDefinition) => checkDraft(definition).map(({ path }) => path)
const withChoices = (ids: string[], allow_other = false): SurveyDefinition =>
  surveyWith([{ id: 'q', type: 'multi', title: 'T', choices: ids.map((id) => ({ id, label: id })), allow_other }])
const nested = (levels: number): Condition => {
  let condition: Condition = { question: 'q', op: 'is_answered' }
  for (let level = 0; level < levels; level++) condition = { all: [condition] }
  return condition
}

const searching = (type: 'open_text' | 'multi', op: 'contains' | 'eq', rules: number): SurveyDefinition => {
  const all = Array.from({ length: 100 }, () => ({ question: 'q', op, value: 'a' }))
  return surveyWith([{ id: 'q', type, title: 'T', choices: CHOICES }], {
    logic: Array.from({ length: rules }, () => ({ when: { all }, then: [] })),
  })
}

test.each<[string, SurveyDefinition]>([
  ['the example of a first survey', AFTER_DELIVERY],
  ['every question type', surveyWith(EVERY_TYPE)],
  ['a survey without questions', surveyWith([])],
  [
    'a jump to a question still to be written',
    surveyWith([Q], { logic: [{ when: { all: [] }, then: [{ action: 'jump', to: 'later' }] }] }),
  ],
  ['a choice called other where no other answer is allowed', withChoices(['other'])],
  ['choice ids that begin with a digit', withChoices(['1', '2-b'])],
  ['50 placeholders in a text', surveyWith([{ ...Q, title: '{{custom.a}}'.repeat(50) }])],
  ['5,000 searches of a text', searching('open_text', 'contains', 50)],
  ['10,000 comparisons that search no text', searching('open_text', 'eq', 100)],
  ['more comparisons with lists', searching('multi', 'contains', 51)],
  ['200 questions', surveyWith(Array.from({ length: 200 }, (_, index) => ({ ...Q, id: `q${index}` })))],
  ['a condition ten levels deep', surveyWith([Q], { logic: [{ when: nested(10), then: [] }] })],
  [
    'a comparison with 1,000 characters',
    surveyWith([Q], { logic: [{ when: { question: 'q', op: 'eq', value: 'x'.repeat(1_000) }, then: [] }] }),
  ],
  [
    'an image on this server',
    surveyWith([
      { id: 'q', type: 'picture', title: 'T', choices: [{ id: 'a', label: '', image_url: '/files/a.png' }] },
    ]),
  ],
])('a draft may hold %s', (_, definition) => {
  expect(checkDraft(definition)).toEqual([])
})

describe('a draft may not hold', () => {
  const when = (condition: Condition): SurveyDefinition => surveyWith([Q], { logic: [{ when: condition, then: [] }] })
  const leaf = { question: 'q', op: 'is_answered' } as const
  test.each<[string, SurveyDefinition, string]>([
    ['two questions with one id', surveyWith([Q, Q]), 'questions.1.id'],
    ...['1q', '', 'q-1', 'q 1', '__proto__', 'constructor', 'toString', 'q'.repeat(65)].map(
      (id): [string, SurveyDefinition, string] => [
        `the question id ${id}`,
        surveyWith([{ ...Q, id }]),
        'questions.0.id',
      ],
    ),
    ['two choices with one id', withChoices(['a', 'b', 'a']), 'questions.0.choices.2.id'],
    ['a malformed choice id', withChoices(['a b']), 'questions.0.choices.0.id'],
    ['a choice called other beside the other answer', withChoices(['other'], true), 'questions.0.choices.0.id'],
    [
      'two rows with one id',
      surveyWith([{ id: 'q', type: 'matrix', title: 'T', rows: [CHOICES[0]!, CHOICES[0]!], columns: CHOICES }]),
      'questions.0.rows.1.id',
    ],
    [
      'a malformed column id',
      surveyWith([{ id: 'q', type: 'matrix', title: 'T', rows: [], columns: [{ id: '!', label: '' }] }]),
      'questions.0.columns.0.id',
    ],
    [
      'two endings with one id',
      surveyWith([], {
        endings: [
          { id: 'e', title: 'T' },
          { id: 'e', title: 'T' },
        ],
      }),
      'endings.1.id',
    ],
    [
      'two quotas with one id',
      surveyWith([], {
        quotas: [
          { id: 'a', limit: 1 },
          { id: 'a', limit: 1 },
        ],
      }),
      'quotas.1.id',
    ],
    [
      'two rules with one id',
      surveyWith([], {
        logic: [
          { id: 'a', when: { all: [] }, then: [] },
          { id: 'a', when: { all: [] }, then: [] },
        ],
      }),
      'logic.1.id',
    ],
    ['a custom field twice', surveyWith([], { custom_fields: ['a', 'a'] }), 'custom_fields.1'],
    ['a malformed variable', surveyWith([], { variables: { 'a b': 1 } }), 'variables.a b'],
    ['a variable without a finite value', surveyWith([], { variables: { a: NaN } }), 'variables.a'],
    [
      'an unknown question in a condition',
      when({ all: [leaf, { any: [{ ...leaf, question: 'x' }] }] }),
      'logic.0.when.all.1.any.0.question',
    ],
    [
      'an unknown question in after',
      surveyWith([Q], { logic: [{ after: 'x', when: { all: [] }, then: [] }] }),
      'logic.0.after',
    ],
    ...(['show', 'hide', 'require'] as const).map((action): [string, SurveyDefinition, string] => [
      `an unknown question to ${action}`,
      surveyWith([Q], { logic: [{ when: leaf, then: [{ action, question: 'x' }] }] }),
      'logic.0.then.0.question',
    ]),
    [
      'a calculation with an unknown question',
      surveyWith([Q], {
        logic: [
          { when: leaf, then: [{ action: 'calculate', variable: 'v', operation: 'set', value: { question: 'x' } }] },
        ],
      }),
      'logic.0.then.0.value.question',
    ],
    [
      'a calculation of a malformed variable',
      surveyWith([Q], {
        logic: [{ when: leaf, then: [{ action: 'calculate', variable: '__proto__', operation: 'set', value: 1 }] }],
      }),
      'logic.0.then.0.variable',
    ],
    [
      'an unknown question in a quota',
      surveyWith([Q], { quotas: [{ id: 'a', when: { ...leaf, question: 'x' }, limit: 1 }] }),
      'quotas.0.when.question',
    ],
    ['a condition eleven levels deep', when(nested(11)), 'logic.0.when'],
    ['a condition 100,000 levels deep', when(nested(100_000)), 'logic.0.when'],
    ['a condition with 101 comparisons', when({ all: Array.from({ length: 101 }, () => leaf) }), 'logic.0.when'],
    ['a comparison with NUL', when({ question: 'q', op: 'eq', value: 'a\0' }), 'logic.0.when.value'],
    [
      'a comparison with 1,001 characters',
      when({ question: 'q', op: 'eq', value: 'x'.repeat(1_001) }),
      'logic.0.when.value',
    ],
    [
      'a rule with 51 actions',
      surveyWith([Q], {
        logic: [{ when: leaf, then: Array.from({ length: 51 }, () => ({ action: 'end' as const })) }],
      }),
      'logic.0.then',
    ],
    ['a quota of 0', surveyWith([], { quotas: [{ id: 'a', limit: 0 }] }), 'quotas.0.limit'],
    ['a quota of one and a half', surveyWith([], { quotas: [{ id: 'a', limit: 1.5 }] }), 'quotas.0.limit'],
    ['201 questions', surveyWith(Array.from({ length: 201 }, (_, index) => ({ ...Q, id: `q${index}` }))), 'questions'],
    ['501 rules', surveyWith([Q], { logic: Array.from({ length: 501 }, () => ({ when: leaf, then: [] })) }), 'logic'],
    ['201 choices', withChoices(Array.from({ length: 201 }, (_, index) => `c${index}`)), 'questions.0.choices'],
    ['a rating of two', surveyWith([{ id: 'q', type: 'rating', title: 'T', scale: 2 }]), 'questions.0.scale'],
    ['a rating of eleven', surveyWith([{ id: 'q', type: 'rating', title: 'T', scale: 11 }]), 'questions.0.scale'],
    [
      'a negative number of choices',
      surveyWith([{ id: 'q', type: 'multi', title: 'T', choices: CHOICES, min_choices: -1 }]),
      'questions.0.min_choices',
    ],
    [
      'a length of 0',
      surveyWith([{ id: 'q', type: 'open_text', title: 'T', max_length: 0 }]),
      'questions.0.max_length',
    ],
    [
      'a length past the ceiling',
      surveyWith([{ id: 'q', type: 'open_text', title: 'T', max_length: 50_001 }]),
      'questions.0.max_length',
    ],
    [
      'a day that does not exist',
      surveyWith([{ id: 'q', type: 'date', title: 'T', max: '2023-02-29' }]),
      'questions.0.max',
    ],
    ...[
      'https://{{custom.host}}/',
      'https://x{{custom.host}}',
      'https://{a{{custom.host}}',
      'https://a}{{custom.host}}/',
      'https://{a}/',
      '{{custom.url}}',
      'https://example.com:{{custom.port}}/',
      'https://{{custom.user}}@example.com/',
    ].map((redirect_url): [string, SurveyDefinition, string] => [
      `the redirect ${redirect_url}, whose host an answer would choose`,
      surveyWith([], { endings: [{ id: 'e', title: 'T', redirect_url }] }),
      'endings.0.redirect_url',
    ]),
    [
      'a redirect that runs a script',
      surveyWith([], { endings: [{ id: 'e', title: 'T', redirect_url: 'javascript:alert(1)' }] }),
      'endings.0.redirect_url',
    ],
    ...['javascript:alert(1)', '//elsewhere.example/a.png', '/\\elsewhere.example', 'data:image/png;base64,AA'].map(
      (image_url): [string, SurveyDefinition, string] => [
        `the image address ${image_url}`,
        surveyWith([{ id: 'q', type: 'picture', title: 'T', choices: [{ id: 'a', label: '', image_url }] }]),
        'questions.0.choices.0.image_url',
      ],
    ),
    ['a text with NUL', surveyWith([{ ...Q, title: 'a\0' }]), 'questions.0.title'],
    ['more than 5,000 searches of a text', searching('open_text', 'contains', 51), 'logic'],
    ['more than 10,000 comparisons', searching('open_text', 'eq', 101), 'logic'],
    [
      'a text with 51 placeholders',
      surveyWith([{ ...Q, title: { en: 'T', de: '{{custom.a}}'.repeat(51) } }]),
      'questions.0.title',
    ],
    [
      'a redirect with 51 placeholders',
      surveyWith([], {
        endings: [{ id: 'e', title: 'T', redirect_url: `https://example.com/${'{{custom.a}}'.repeat(51)}` }],
      }),
      'endings.0.redirect_url',
    ],
    [
      'a text past 10,000 characters',
      surveyWith([{ ...Q, description: { en: 'T', de: 'x'.repeat(10_001) } }]),
      'questions.0.description',
    ],
    ['a translation into no language', surveyWith([{ ...Q, title: { en: 'T', '<b>': 'T' } }]), 'questions.0.title'],
    ['a default language that is none', surveyWith([Q], { default_language: '' }), 'languages'],
  ])('%s', (_, definition, path) => {
    expect(pathsOf(definition)).toEqual([path])
  })
})

test('at most 100 issues are reported', () => {
  expect(checkDraft(surveyWith(Array.from({ length: 200 }, () => ({ ...Q, id: '!' }))))).toHaveLength(100)
})

test.each([
  ['a matrix of 2,500 cells', 50, 50, []],
  ['a matrix of more', 51, 50, ['questions.0.rows']],
])('%s', (_, rows, columns, paths) => {
  const lines = (count: number) => Array.from({ length: count }, (__, index) => ({ id: `l${index}`, label: 'L' }))
  const survey = surveyWith([{ id: 'm', type: 'matrix', title: 'T', rows: lines(rows), columns: lines(columns) }])
  expect(checkDraft(survey).map(({ path }) => path)).toEqual(paths)
})

test('at most 50 choices can be ranked', () => {
  const ranking = (count: number) =>
    surveyWith([
      {
        id: 'r',
        type: 'ranking',
        title: 'T',
        choices: Array.from({ length: count }, (_, n) => ({ id: `c${n}`, label: 'C' })),
      },
    ])
  expect(checkDraft(ranking(50))).toEqual([])
  expect(checkDraft(ranking(51))).toMatchObject([
    { path: 'questions.0.choices', message: 'Remove some choices; at most 50 can be ranked.' },
  ])
})

test('no step of the checks reads more than one question, one rule or one text', () => {
  const choices = Array.from({ length: 200 }, (_, n) => ({ id: `c${n}`, label: 'x' }))
  const questions = Array.from({ length: 50 }, (_, n) => ({ id: `q${n}`, type: 'multi' as const, title: 'T', choices }))
  const rule: Rule = { when: { question: 'q1', op: 'is_answered' }, then: [{ action: 'end' }] }
  const survey = surveyWith(questions, { logic: Array.from({ length: 300 }, () => rule) })
  const texts = 50 * 201
  expect([...draftChecks(survey)].length).toBeGreaterThanOrEqual(50 + 300 + texts)
  expect([...publishChecks(survey)].length).toBeGreaterThanOrEqual(50 + 2 * 300 + 3 * texts)
})
