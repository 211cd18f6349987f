import { expect, test } from 'vitest'
import { checkDraft } from '../../../../../src/survey-engine/checks/draft-checks.ts'
import { asType, QUESTION_TYPES, settingsOf } from '../../../../../src/survey-engine/types/registry.ts'
import { definitionOf, type Draft } from './draft.ts'
import { aDraft } from './draft.fixture.ts'
import {
  addLine,
  addQuestion,
  changeItem,
  changeLine,
  changeQuestion,
  changeType,
  duplicateQuestion,
  moveLine,
  moveQuestion,
  removeLine,
  removeQuestion,
  renameQuestion,
  setMember,
} from './edits.ts'

const ids = ({ questions }: Draft) => questions.map(({ id }) => id)
const choicesOf = (draft: Draft) =>
  draft.questions.flatMap((question) => ('choices' in question ? question.choices.map(({ id }) => id) : []))

test('a question of every type can be added, and no draft that this makes is refused', () => {
  let draft = aDraft({ questions: [], logic: [], quotas: [] })
  for (const type of QUESTION_TYPES) draft = addQuestion(draft, type)[0]
  expect(draft.questions.map(({ type }) => type)).toEqual(QUESTION_TYPES)
  expect(new Set(ids(draft)).size).toBe(QUESTION_TYPES.length)
  expect(checkDraft(definitionOf(draft))).toEqual([])
})

test('the first question that can be a score is the score, until somebody takes that away', () => {
  const empty = { ...aDraft({ questions: [], logic: [], quotas: [] }), metric: null }
  const one = addQuestion(addQuestion(empty, 'date')[0], 'csat')[0]
  expect([addQuestion(empty, 'date')[0].metric, one.metric]).toEqual([null, 'csat'])
  expect(addQuestion(one, 'nps')[0].metric).toBe('csat')
  expect([one, addQuestion(one, 'nps')[0]].map(({ questions }) => questions.at(-1)?.required)).toEqual([
    true,
    undefined,
  ])
  expect(addQuestion({ ...one, metric: null }, 'nps')[0].metric).toBe(null)
})

test('a question becomes any other type and back, and the server would take each step', () => {
  for (const from of QUESTION_TYPES)
    for (const to of QUESTION_TYPES) {
      const [draft, question] = addQuestion(aDraft({ questions: [], logic: [], quotas: [] }), from)
      const changed = changeType(draft, question.id, to)
      expect(checkDraft(definitionOf(changed)), `${from} to ${to}`).toEqual([])
      const allowed = new Set([
        'id',
        'type',
        'title',
        'description',
        'required',
        ...settingsOf(to).map(([name]) => name),
      ])
      expect(
        Object.keys(changed.questions[0] ?? {}).filter((name) => !allowed.has(name)),
        `${from} to ${to}`,
      ).toEqual([])
    }
})

test('choices stay when a list becomes another kind of list, and become the rows of a matrix', () => {
  const [, why] = aDraft().questions
  if (!why) throw new Error('no question')
  expect(asType(why, 'multi')).toMatchObject({ choices: [{ id: 'price' }, { id: 'speed' }] })
  expect(asType(why, 'matrix')).toMatchObject({ rows: [{ id: 'price' }, { id: 'speed' }], columns: [] })
})

test('an edit leaves everything else the same object', () => {
  const draft = aDraft()
  const next = changeQuestion(draft, 'why', { required: true })
  expect(next.questions[1]).toMatchObject({ id: 'why', required: true })
  expect(next.questions[0]).toBe(draft.questions[0])
  expect(next.logic).toBe(draft.logic)
  expect(changeQuestion(next, 'why', { required: undefined }).questions[1]).toEqual(draft.questions[1])
})

test('a moved question takes the place that was asked for, and never leaves the survey', () => {
  const draft = aDraft()
  expect(ids(moveQuestion(draft, 'score', 2))).toEqual(['why', 'wrong', 'score', 'call'])
  expect(ids(moveQuestion(draft, 'call', 0))).toEqual(['call', 'score', 'why', 'wrong'])
  expect(ids(moveQuestion(draft, 'score', 99))).toEqual(['why', 'wrong', 'call', 'score'])
  expect(ids(moveQuestion(draft, 'call', -5))).toEqual(['call', 'score', 'why', 'wrong'])
  expect(moveQuestion(draft, 'score', 0)).toBe(draft)
})

test('a copy stands behind its original with an id of its own', () => {
  const [draft, copy] = duplicateQuestion(aDraft(), 'why') ?? []
  expect(draft && ids(draft)).toEqual(['score', 'why', copy?.id, 'wrong', 'call'])
  expect(draft && checkDraft(definitionOf(draft))).toEqual([])
  expect(duplicateQuestion(aDraft(), 'none')).toBeNull()
})

test('what names a removed question goes with it: rules that ask about it, actions on it, quotas and leads', () => {
  const start = aDraft({ lead_capture: { contact: 'call', when: { question: 'score', op: 'lte', value: 6 } } })
  const withoutScore = removeQuestion(start, 'score')
  expect(withoutScore.logic).toEqual([])
  expect(withoutScore.quotas).toEqual([{ id: 'low', limit: 100 }])
  expect(checkDraft(definitionOf(removeQuestion(start, 'wrong')))).toEqual([])
  expect(removeQuestion(start, 'wrong').logic).toHaveLength(1)
  expect(removeQuestion(start, 'call').lead_capture).toBeUndefined()
  expect(removeQuestion(start, 'call').logic).toHaveLength(1)
})

test('a renamed question keeps its rules, its quotas and the texts that repeat its answer', () => {
  const draft = renameQuestion(aDraft(), 'score', 'nps')
  expect(checkDraft(definitionOf(draft))).toEqual([])
  expect(draft.questions[2]?.title).toMatchObject({ en: 'You gave {{ answer.nps }}. What went wrong?' })
  expect(draft.quotas[0]?.when).toMatchObject({ question: 'nps' })
  expect(JSON.stringify(draft.logic)).not.toContain('score')
})

test('lines are added, changed, moved and removed by their place', () => {
  let draft = addLine(aDraft(), 'why', 'choices', 'Taste')
  expect(choicesOf(draft)).toEqual(['price', 'speed', 'c1'])
  draft = moveLine(draft, 'why', 'choices', 2, 0)
  expect(choicesOf(draft)).toEqual(['c1', 'price', 'speed'])
  expect(moveLine(draft, 'why', 'choices', 0, -1)).toBe(draft)
  draft = changeLine(draft, 'why', 'choices', 0, { id: 'taste' })
  expect(choicesOf(removeLine(draft, 'why', 'choices', 1))).toEqual(['taste', 'speed'])
})

test('endings and quotas are set by their place, and a member that is taken away is absent', () => {
  const draft = changeItem(aDraft(), 'endings', 1, { id: 'out', title: 'Bye', outcome: 'screened_out' })
  expect(draft.endings.map(({ id }) => id)).toEqual(['thanks', 'out'])
  expect(changeItem(draft, 'endings', 0, undefined).endings.map(({ id }) => id)).toEqual(['out'])
  expect('layout' in setMember(setMember(draft, 'layout', 'page'), 'layout', undefined)).toBe(false)
})
