import { describe, expect, test } from 'vitest'
import type { Condition, Question, Rule, SurveyDefinition } from '../model/definition.ts'
import { evaluate } from './evaluation.ts'
import { rulesByAnchor } from './rules.ts'
import { AFTER_DELIVERY, completedWith, partialWith, surveyWith } from '../survey.fixture.ts'

const ALWAYS: Condition = { all: [] }
const QUESTIONS: Question[] = ['q1', 'q2', 'q3', 'q4', 'q5'].map((id) => ({ id, type: 'nps', title: id }))

function withRules(...logic: Rule[]): SurveyDefinition {
  return surveyWith(QUESTIONS, {
    logic,
    custom_fields: ['plan'],
    variables: { points: 1 },
    endings: [
      { id: 'out', title: 'Sorry', outcome: 'screened_out' },
      { id: 'thanks', title: 'Thanks' },
      { id: 'vip', title: 'Thank you so much' },
    ],
  })
}

const low = (question: string): Condition => ({ question, op: 'lte', value: 6 })

describe('the example of a first survey', () => {
  test('a detractor jumps over the reason', () => {
    const { issues, path, values } = completedWith(AFTER_DELIVERY, { q1: 6, q2: 'price', q3: 'Late' })
    expect({ issues, path, values }).toEqual({ issues: [], path: ['q1', 'q3'], values: { q1: 6, q3: 'Late' } })
  })

  test('a promoter meets every question', () => {
    expect(completedWith(AFTER_DELIVERY, { q1: 9, q2: { other: 'Speed' } }).path).toEqual(['q1', 'q2', 'q3'])
  })
})

describe('the path through a survey', () => {
  const jump = (to: string) => ({ action: 'jump', to }) as const
  const show = (question: string) => ({ action: 'show', question }) as const
  const hide = (question: string) => ({ action: 'hide', question }) as const
  test.each<[string, Rule[], Record<string, unknown>, string[]]>([
    ['without logic is the order of the questions', [], {}, ['q1', 'q2', 'q3', 'q4', 'q5']],
    ['skips what a jump passes', [{ when: low('q2'), then: [jump('q4')] }], { q2: 1 }, ['q1', 'q2', 'q4', 'q5']],
    [
      'stays when the condition fails',
      [{ when: low('q2'), then: [jump('q4')] }],
      { q2: 9 },
      ['q1', 'q2', 'q3', 'q4', 'q5'],
    ],
    [
      'follows the first of two matching jumps',
      [
        { when: low('q1'), then: [jump('q3')] },
        { when: low('q1'), then: [jump('q5')] },
      ],
      { q1: 1 },
      ['q1', 'q3', 'q4', 'q5'],
    ],
    [
      'leaves from the question named by after',
      [{ after: 'q3', when: low('q1'), then: [jump('q5')] }],
      { q1: 1 },
      ['q1', 'q2', 'q3', 'q5'],
    ],
    [
      'leaves from the latest question that the condition mentions',
      [{ when: { any: [low('q3'), low('q1')] }, then: [jump('q5')] }],
      { q1: 1 },
      ['q1', 'q2', 'q3', 'q5'],
    ],
    ['begins with a jump that depends on no question', [{ when: ALWAYS, then: [jump('q4')] }], {}, ['q4', 'q5']],
    ['ends where a rule says so', [{ when: low('q2'), then: [{ action: 'end' }] }], { q2: 0 }, ['q1', 'q2']],
    ['ignores a jump backwards', [{ when: low('q3'), then: [jump('q1')] }], { q3: 1 }, ['q1', 'q2', 'q3', 'q4', 'q5']],
    ['ignores a jump to nowhere', [{ when: low('q1'), then: [jump('q9')] }], { q1: 1 }, ['q1', 'q2', 'q3', 'q4', 'q5']],
    [
      'lacks a question until it is shown',
      [{ when: low('q1'), then: [show('q3')] }],
      { q1: 9 },
      ['q1', 'q2', 'q4', 'q5'],
    ],
    [
      'has a question that was shown',
      [{ when: low('q1'), then: [show('q3')] }],
      { q1: 1 },
      ['q1', 'q2', 'q3', 'q4', 'q5'],
    ],
    [
      'lacks a question that was hidden',
      [{ when: low('q1'), then: [hide('q2')] }],
      { q1: 1 },
      ['q1', 'q3', 'q4', 'q5'],
    ],
    [
      'obeys the later of hide and show',
      [
        { when: low('q1'), then: [show('q4')] },
        { when: low('q2'), then: [hide('q4')] },
      ],
      { q1: 1, q2: 1 },
      ['q1', 'q2', 'q3', 'q5'],
    ],
    [
      'goes on behind a hidden jump target',
      [{ when: low('q1'), then: [hide('q3'), jump('q3')] }],
      { q1: 1 },
      ['q1', 'q4', 'q5'],
    ],
    [
      'does not leave from a hidden question that a rule names with after',
      [
        { when: low('q1'), then: [hide('q2')] },
        { after: 'q2', when: ALWAYS, then: [jump('q5')] },
      ],
      { q1: 1 },
      ['q1', 'q3', 'q4', 'q5'],
    ],
    [
      'leaves from a hidden question that only the condition mentions',
      [
        { when: low('q1'), then: [hide('q2')] },
        { when: { any: [low('q1'), low('q2')] }, then: [jump('q5')] },
      ],
      { q1: 1 },
      ['q1', 'q5'],
    ],
    [
      'does not leave from a question that was jumped over',
      [
        { when: low('q1'), then: [jump('q3')] },
        { when: { any: [low('q1'), low('q2')] }, then: [jump('q5')] },
      ],
      { q1: 1 },
      ['q1', 'q3', 'q4', 'q5'],
    ],
    [
      'is not decided by an answer on a branch left behind',
      [
        { when: low('q1'), then: [jump('q3')] },
        { after: 'q3', when: low('q2'), then: [jump('q5')] },
      ],
      { q1: 1, q2: 1, q3: 9 },
      ['q1', 'q3', 'q4', 'q5'],
    ],
    [
      'applies show behind a question that was jumped over',
      [
        { when: low('q1'), then: [jump('q3')] },
        { when: { any: [low('q1'), low('q2')] }, then: [show('q4')] },
      ],
      { q1: 1 },
      ['q1', 'q3', 'q4', 'q5'],
    ],
  ])('%s', (_, logic, answers, path) => {
    const evaluation = completedWith(withRules(...logic), answers)
    expect(evaluation.path).toEqual(path)
    const onPath = Object.entries(answers).filter(([id]) => path.includes(id))
    expect(evaluation.values).toEqual(Object.fromEntries(onPath))
    expect(evaluation.issues).toEqual([])
  })

  test('reads custom data before the first question', () => {
    const definition = withRules({ when: { custom: 'plan', op: 'eq', value: 'pro' }, then: [jump('q5')] })
    const evaluation = evaluate(definition, { answers: {}, custom_data: { plan: 'pro' }, completed: true })
    expect(evaluation.path).toEqual(['q5'])
    expect(completedWith(definition, {}).path).toHaveLength(5)
  })
})

describe('require', () => {
  const definition = withRules({ when: low('q1'), then: [{ action: 'require', question: 'q3' }] })

  test('makes the question required once its rule applies', () => {
    expect(completedWith(definition, { q1: 1 }).issues.map(({ path }) => path)).toEqual(['answers.q3'])
    expect(completedWith(definition, { q1: 1 }).required).toEqual(['q3'])
    expect(completedWith(definition, { q1: 9 }).issues).toEqual([])
  })

  test('asks nothing of a question that is off the path', () => {
    const jumping = withRules(...definition.logic, { when: low('q2'), then: [{ action: 'jump', to: 'q5' }] })
    expect(completedWith(jumping, { q1: 1, q2: 1 }).issues).toEqual([])
  })
})

describe('calculate', () => {
  const after = (...actions: Rule['then']) =>
    completedWith(withRules({ after: 'q2', when: ALWAYS, then: actions }), { q1: 8 }).variables
  const by = (
    operation: 'set' | 'add' | 'subtract' | 'multiply' | 'divide',
    value: number | string | { question: string } | { variable: string },
  ) => ({ action: 'calculate', variable: 'points', operation, value }) as const

  test.each<[string, Rule['then'], unknown]>([
    ['sets', [by('set', 'gold')], 'gold'],
    ['adds', [by('add', 2)], 3],
    ['subtracts', [by('subtract', 3)], -2],
    ['multiplies by an answer', [by('multiply', { question: 'q1' })], 8],
    ['divides by a variable', [by('add', 3), by('divide', { variable: 'points' })], 1],
    ['leaves the variable alone for an unanswered question', [by('add', { question: 'q2' })], 1],
    ['leaves the variable alone when dividing by 0', [by('divide', 0)], 1],
    ['leaves the variable alone when adding words', [by('add', 'words')], 1],
    ['leaves the variable alone when the result overflows', [by('set', 1e308), by('multiply', 1e308)], 1e308],
  ])('%s', (_, actions, points) => {
    expect(after(...actions)).toEqual({ points })
  })

  test('a variable not declared counts from 0', () => {
    expect(after({ action: 'calculate', variable: 'fresh', operation: 'add', value: 4 })).toEqual({
      points: 1,
      fresh: 4,
    })
  })

  test('a later rule at the same question sees the result', () => {
    const definition = withRules(
      { when: low('q1'), then: [by('add', 10)] },
      { after: 'q1', when: { variable: 'points', op: 'gt', value: 10 }, then: [{ action: 'jump', to: 'q5' }] },
    )
    expect(completedWith(definition, { q1: 1 }).path).toEqual(['q1', 'q5'])
    expect(definition.variables).toEqual({ points: 1 })
  })
})

describe('the outcome', () => {
  const ending = (name: string | undefined): Rule => ({ when: low('q1'), then: [{ action: 'end', ending: name }] })
  test.each<[string, string | undefined, number, string, string]>([
    ['an ending that screens out', 'out', 1, 'out', 'screened_out'],
    ['an ending named by the rule', 'vip', 1, 'vip', 'completed'],
    ['an end without an ending', undefined, 1, 'thanks', 'completed'],
    ['an ending that does not exist', 'gone', 1, 'thanks', 'completed'],
    ['the last question', 'out', 9, 'thanks', 'completed'],
  ])('%s decides it', (_, name, q1, endingId, outcome) => {
    const evaluation = completedWith(withRules(ending(name)), { q1 })
    expect([evaluation.ending?.id, evaluation.outcome]).toEqual([endingId, outcome])
  })

  test('is in progress until the response is completed, though the ending is known once nothing is left', () => {
    const evaluation = partialWith(withRules(ending('out')), { q1: 1 })
    expect(evaluation).toMatchObject({ outcome: 'in_progress', next: null, ending: { id: 'out' } })
    expect(partialWith(withRules(ending('out')), {})).toMatchObject({ outcome: 'in_progress', ending: null })
  })

  test('of a survey without endings is completed', () => {
    expect(completedWith(surveyWith(QUESTIONS), {})).toMatchObject({ ending: null, outcome: 'completed' })
  })
})

test('the places of rules are found once for a survey', () => {
  const survey = withRules({ when: { question: 'q2', op: 'is_answered' }, then: [{ action: 'end' }] })
  expect([...rulesByAnchor(survey).keys()]).toEqual([1])
  expect(rulesByAnchor(survey)).toBe(rulesByAnchor(survey))
})
