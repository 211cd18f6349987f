import { expect, test } from 'vitest'
import { QUESTION_TYPES } from '../../../../../src/survey-engine/types/registry.ts'
import { checkPublishable } from '../../../../../src/survey-engine/checks/publish-checks.ts'
import { definitionOf } from './draft.ts'
import { aDraft } from './draft.fixture.ts'
import { addLine, addQuestion, changeQuestion } from './edits.ts'
import {
  conditionOf,
  newRule,
  newTest,
  operatorsFor,
  rulesAt,
  sentenceOf,
  shownOnlyIf,
  withCondition,
} from './logic.ts'
import { placeIssues } from './problems.ts'
import { insertAt, pipeable } from './texts.ts'

const draft = aDraft()

test('a rule stands at the question after which it applies', () => {
  expect(rulesAt(draft, 'score').map(({ at }) => at)).toEqual([0, 1])
  expect(rulesAt(draft, 'why')).toEqual([])
  expect([...shownOnlyIf(draft).keys()]).toEqual(['wrong'])
})

test('a flat condition is a sentence and back, and groups within groups are not', () => {
  for (const { when } of draft.logic) {
    const sentence = sentenceOf(when)
    expect(sentence && conditionOf(sentence)).toEqual(when)
  }
  expect(sentenceOf({ all: [{ any: [] }, { custom: 'plan', op: 'eq', value: 'x' }] })).toBeNull()
})

test('for each question type a new rule offers operators that fit, and the server finds no fault in its condition', () => {
  for (const type of QUESTION_TYPES) {
    const [added, { id }] = addQuestion(
      aDraft({ questions: [], logic: [], quotas: [], metric: null, languages: ['en'] }),
      type,
    )
    let next = added
    for (const name of ['choices', 'rows', 'columns'])
      if (name in (next.questions[0] ?? {})) next = addLine(addLine(next, id, name, 'One'), id, name, 'Two')
    next = addQuestion(next, 'date')[0]
    for (const question of next.questions) next = changeQuestion(next, question.id, { title: 'A title' })
    const rule = newRule(next, id)
    if (type === 'statement') {
      expect(rule).toBeNull()
      continue
    }
    if (!rule) throw new Error(`no rule for ${type}`)
    for (const op of operatorsFor({ question: id }, next)) {
      const when = newTest({ question: id }, next, op)
      const issues = checkPublishable(definitionOf({ ...next, logic: [{ ...rule, when }] }))
      // A day and words are left for the author to fill in.
      const open = type === 'date' || type === 'open_text' || (type === 'slider' && op === 'one_of')
      expect(open ? [] : issues.filter(({ path }) => path.startsWith('logic')), `${type} ${op}`).toEqual([])
    }
  }
})

test('a rule keeps its question when its condition asks about an earlier one', () => {
  const [rule] = draft.logic
  const next = rule && withCondition(rule, { custom: 'plan', op: 'eq', value: 'pro' }, 'score', draft)
  expect(next).toMatchObject({ after: 'score' })
  expect(next && withCondition(next, { question: 'score', op: 'eq', value: 1 }, 'score', draft)).not.toHaveProperty(
    'after',
  )
})

test('a problem of a rule stands at its question, and one of a text at its own', () => {
  const places = placeIssues(
    [
      { path: 'logic.1.when.all.1.value', message: '' },
      { path: 'questions.3.title', message: '' },
      { path: 'endings.0.redirect_url', message: '' },
      { path: 'metric', message: '' },
    ],
    draft,
  )
  expect(places.map(({ view, id, member }) => [view, id, member])).toEqual([
    ['questions', 'score', 'logic.1.when.all.1.value'],
    ['questions', 'call', 'title'],
    ['endings', 'thanks', 'redirect_url'],
    ['rules', null, 'metric'],
  ])
})

test('a new rule about a score begins with those who are unhappy', () => {
  for (const [type, highest] of [
    ['nps', 6],
    ['csat', 2],
    ['ces', 3],
  ] as const) {
    const [next, { id }] = addQuestion(aDraft({ questions: [], logic: [], quotas: [] }), type)
    expect(newTest({ question: id }, next), type).toMatchObject({ op: 'lte', value: highest })
  }
})

test('a text may repeat earlier answers alone, and a placeholder takes the spaces that it needs', () => {
  expect(pipeable(draft, 2).questions.map(({ id }) => id)).toEqual(['score', 'why'])
  expect(pipeable(draft, null).questions).toHaveLength(4)
  expect(insertAt('You gave.', 8, 8, '{{ answer.score }}')).toEqual({
    text: 'You gave {{ answer.score }}.',
    cursor: 27,
  })
  expect(insertAt('', 0, 0, '{{ custom.plan }}').text).toBe('{{ custom.plan }}')
})
