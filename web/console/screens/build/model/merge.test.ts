import { expect, test } from 'vitest'
import { aDraft } from './draft.fixture.ts'
import { addQuestion, changeQuestion, moveQuestion, removeQuestion, setMember } from './edits.ts'
import { rebase } from './merge.ts'

const base = aDraft()

test('what only one of two changed is kept: question by question, and setting by setting', () => {
  const mine = setMember(changeQuestion(base, 'why', { title: 'Mine' }), 'dedupe', 'device')
  const theirs = setMember(changeQuestion(base, 'call', { title: 'Theirs' }), 'name', 'Their name')
  expect(rebase(base, mine, theirs)).toEqual({
    ...base,
    name: 'Their name',
    dedupe: 'device',
    questions: base.questions.map((question) =>
      question.id === 'why'
        ? { ...question, title: 'Mine' }
        : question.id === 'call'
          ? { ...question, title: 'Theirs' }
          : question,
    ),
  })
})

test('where both changed the same question, mine is written again', () => {
  const mine = changeQuestion(base, 'why', { title: 'Mine' })
  const theirs = changeQuestion(base, 'why', { title: 'Theirs' })
  expect(rebase(base, mine, theirs).questions[1]?.title).toBe('Mine')
})

test('a question that they added, removed or moved stays so while I change another one', () => {
  const mine = changeQuestion(base, 'why', { title: 'Mine' })
  const ids = (theirs: typeof base) => rebase(base, mine, theirs).questions.map(({ id }) => id)
  expect(ids(addQuestion(base, 'date', 1)[0])).toEqual(['score', 'q5', 'why', 'wrong', 'call'])
  expect(ids(removeQuestion(base, 'call'))).toEqual(['score', 'why', 'wrong'])
  expect(ids(moveQuestion(base, 'call', 0))).toEqual(['call', 'score', 'why', 'wrong'])
})

test('a question that I added or removed stays so, beside a question that they added', () => {
  const theirs = addQuestion(base, 'date', 1)[0]
  const mine = removeQuestion({ ...addQuestion(base, 'slider')[0], logic: base.logic }, 'call')
  const renamed = { ...mine, questions: mine.questions.map((q) => (q.id === 'q5' ? { ...q, id: 'mine' } : q)) }
  expect(rebase(base, renamed, theirs).questions.map(({ id }) => id)).toEqual(['score', 'q5', 'why', 'wrong', 'mine'])
})
