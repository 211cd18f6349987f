import { expect, test } from 'vitest'
import type { Condition, ConditionLeaf, Question, Rule } from '../model/definition.ts'
import { unreachableQuestions } from './reachability.ts'
import { CHOICES, surveyWith } from '../survey.fixture.ts'

const ALWAYS: Condition = { all: [] }
const ENTRY: Record<string, Question> = {
  required: { id: 'q0', type: 'nps', title: 'T', required: true },
  five: { id: 'q0', type: 'csat', title: 'T', required: true },
  optional: { id: 'q0', type: 'nps', title: 'T' },
  single: { id: 'q0', type: 'single', title: 'T', required: true, choices: CHOICES },
  other: { id: 'q0', type: 'single', title: 'T', required: true, choices: CHOICES, allow_other: true },
  consent: { id: 'q0', type: 'consent', title: 'T', required: true },
  words: { id: 'q0', type: 'open_text', title: 'T', required: true },
}
const LATER: Question[] = ['q1', 'q2', 'q3'].map((id) => ({ id, type: 'nps', title: 'T' }))

const leaf = (op: ConditionLeaf['op'], value?: ConditionLeaf['value']): Condition =>
  value === undefined ? { question: 'q0', op } : { question: 'q0', op, value }
const jump = (when: Condition, to = 'q2'): Rule => ({ when, then: [{ action: 'jump', to }] })
const act = (action: 'show' | 'hide', when: Condition, after?: string): Rule => ({
  ...(after ? { after } : {}),
  when,
  then: [{ action, question: 'q1' }],
})

test.each<[string, keyof typeof ENTRY, Rule[], number[]]>([
  ['no logic reaches everything', 'required', [], []],
  ['a conditional jump leaves the other way open', 'required', [jump(leaf('lte', 6))], []],
  ['an unconditional jump cuts off what it passes', 'required', [{ after: 'q0', ...jump(ALWAYS) }], [1]],
  ['an unconditional jump before the first question too', 'required', [jump(ALWAYS)], [0, 1]],
  [
    'an unconditional end cuts off the rest',
    'required',
    [{ after: 'q1', when: ALWAYS, then: [{ action: 'end' }] }],
    [2, 3],
  ],
  ['a condition that every score meets is unconditional', 'required', [jump(leaf('gte', 0))], [1]],
  ['only scores of the scale are tried', 'five', [jump(leaf('between', [1, 5]))], [1]],
  ['two jumps that cover every score cut off', 'required', [jump(leaf('lte', 6)), jump(leaf('gt', 6), 'q3')], [1]],
  ['two jumps that leave a score out do not', 'required', [jump(leaf('lte', 6)), jump(leaf('gt', 7), 'q3')], []],
  ['an optional question can be skipped', 'optional', [jump(leaf('gte', 0))], []],
  [
    'a jump for the skipped one covers that too',
    'optional',
    [jump({ any: [leaf('gte', 0), leaf('is_skipped')] })],
    [1],
  ],
  [
    'a jump that never matches opens nothing',
    'required',
    [
      { after: 'q0', ...jump({ all: [leaf('lt', 3), leaf('gt', 5)] }, 'q3') },
      { after: 'q0', ...jump(ALWAYS, 'q2') },
      { after: 'q2', when: ALWAYS, then: [{ action: 'end' }] },
    ],
    [1, 3],
  ],
  ['every choice covered cuts off', 'single', [jump(leaf('one_of', ['a', 'b', 'c']))], [1]],
  ['an other answer is one more way', 'other', [jump(leaf('one_of', ['a', 'b', 'c']))], []],
  ['an other answer can be covered as well', 'other', [jump(leaf('one_of', ['a', 'b', 'c', 'other']))], [1]],
  ['a required consent is always given', 'consent', [jump(leaf('eq', true))], [1]],
  ['words may be anything', 'words', [jump(leaf('contains', 'a')), jump(leaf('ne', 'a'))], []],
  ['words are at least answered', 'words', [jump(leaf('is_answered'))], [1]],
  ['custom data may be anything', 'required', [jump({ custom: 'plan', op: 'is_skipped' })], []],
  ['a question may be shown', 'required', [act('show', leaf('lte', 6))], []],
  ['a question shown on what never holds is not', 'required', [act('show', leaf('gt', 10))], [1]],
  ['a question shown only after it has passed is not', 'required', [act('show', ALWAYS, 'q2')], [1]],
  [
    'a question is not shown along with another',
    'required',
    [act('show', leaf('gt', 10)), { when: ALWAYS, then: [{ action: 'show', question: 'q2' }] }],
    [1],
  ],
  ['a question shown from itself is not', 'required', [act('show', ALWAYS, 'q1')], [1]],
  [
    'a question shown from a question cut off is not',
    'required',
    [
      { after: 'q0', ...jump(ALWAYS, 'q3') },
      { after: 'q1', when: ALWAYS, then: [{ action: 'show', question: 'q3' }] },
    ],
    [1, 2, 3],
  ],
  ['a question hidden from the start is not', 'required', [act('hide', ALWAYS)], [1]],
  ['a question hidden at times may be reached', 'required', [act('hide', leaf('lte', 6))], []],
  [
    'a hidden question does not carry out its own jump',
    'required',
    [act('hide', leaf('lte', 6)), { after: 'q1', ...jump(ALWAYS, 'q3') }],
    [],
  ],
  ['a backward jump moves nobody', 'required', [{ after: 'q2', ...jump(ALWAYS, 'q0') }], []],
])('%s', (_, entry, logic, unreachable) => {
  const first = ENTRY[entry]
  expect(unreachableQuestions(surveyWith(first ? [first, ...LATER] : [], { logic, custom_fields: ['plan'] }))).toEqual(
    unreachable,
  )
})

const MANY = Array.from({ length: 200 }, (_, index) => ({ id: `c${index}`, label: 'C' }))

/** As large as the limits allow, or half of that: each rule compares with everything that can be chosen. */
function costly(rules: number, op: 'one_of' | 'ne', values: number): { size: number; steps: number } {
  const leaves = Array.from({ length: 100 }, (_, index) =>
    leaf(op, op === 'ne' ? `c${index}` : MANY.slice(0, values).map(({ id }) => id)),
  )
  const logic: Rule[] = Array.from({ length: rules }, () => ({
    when: { any: leaves },
    then: Array.from({ length: 50 }, () => ({ action: 'show', question: 'q1' })),
  }))
  const questions: Question[] = [{ id: 'q0', type: 'single', title: 'T', choices: MANY, required: true }, ...LATER]
  const steps = { taken: 0 }
  unreachableQuestions(surveyWith(questions, { logic }), steps)
  return { size: MANY.length + rules * (1 + 50 + leaves.length * (1 + (op === 'ne' ? 1 : values))), steps: steps.taken }
}

test.each([
  [500, 'one_of', 200],
  [250, 'one_of', 200],
  [500, 'ne', 1],
] as const)(
  'the steps are bounded by the size of the survey: %i rules of 100 comparisons, %s, with %i values',
  (rules, op, values) => {
    const { size, steps } = costly(rules, op, values)
    expect(steps).toBeGreaterThan(rules)
    expect(steps).toBeLessThan(2 * size)
  },
)

test('the steps of many questions and one hundred actions each are bounded by the size of the survey', () => {
  const questions: Question[] = Array.from({ length: 200 }, (_, index) => ({
    id: `q${index}`,
    type: 'nps',
    title: 'T',
  }))
  const then = Array.from({ length: 50 }, (_, index) => ({ action: 'show' as const, question: `q${150 + index}` }))
  const logic: Rule[] = Array.from({ length: 500 }, (_, index) => ({
    when: { question: `q${index % 150}`, op: 'gt', value: 3 },
    then,
  }))
  const steps = { taken: 0 }
  unreachableQuestions(surveyWith(questions, { logic }), steps)
  expect(steps.taken).toBeLessThan(3 * (200 * 11 + 500 * (1 + 50 + 11)))
})
