import { expect, test } from 'vitest'
import { aDraft } from './draft.fixture.ts'
import { compare, compareWords } from './compare.ts'
import { addQuestion, changeItem, changeQuestion, moveQuestion, removeQuestion, setMember } from './edits.ts'

const base = aDraft()

test('nothing changed is nothing said', () => {
  expect(compare(base, aDraft())).toEqual([])
})

test('questions are compared by their id: added, removed, moved, other words, other settings', () => {
  const added = addQuestion(base, 'date', 1)[0]
  expect(compare(base, added)).toEqual([{ kind: 'added', what: 'question', id: 'q5', title: 'q5', place: 1 }])
  expect(compare(added, base)).toEqual([{ kind: 'removed', what: 'question', id: 'q5', title: 'q5', place: 1 }])
  expect(compare(base, moveQuestion(base, 'call', 1))).toEqual([
    { kind: 'moved', what: 'question', id: 'call', title: 'May we call you?', from: 3, to: 1 },
  ])
  const worded = changeQuestion(base, 'why', { title: { en: 'What mattered most?', de: 'Was war wichtig?' } })
  expect(compare(base, worded)).toEqual([
    {
      kind: 'words',
      what: 'question',
      id: 'why',
      title: 'What mattered most?',
      language: 'en',
      parts: [
        { kind: 'same', text: 'What ' },
        { kind: 'gone', text: 'mattered?' },
        { kind: 'new', text: 'mattered most?' },
      ],
    },
  ])
  expect(compare(base, changeQuestion(base, 'score', { required: undefined }))).toEqual([
    { kind: 'settings', what: 'question', id: 'score', title: 'Recommend us?', names: ['required'] },
  ])
})

test('one question that moves is one change, however many it passes', () => {
  const moves = compare(base, moveQuestion(base, 'score', 3)).filter(({ kind }) => kind === 'moved')
  expect(moves.map(({ id }) => id)).toEqual(['score'])
})

test('rules, endings, quotas and settings are said too', () => {
  expect(compare(base, removeQuestion(base, 'wrong')).map(({ kind, what }) => `${kind} ${what}`)).toEqual([
    'removed question',
    'removed rule',
  ])
  expect(compare(base, changeItem(base, 'endings', 0, undefined))).toMatchObject([{ kind: 'removed', what: 'ending' }])
  expect(compare(base, changeItem(base, 'quotas', 0, { id: 'low', limit: 7 }))).toMatchObject([
    { kind: 'settings', what: 'quota', names: ['limit', 'when'] },
  ])
  expect(compare(base, setMember(base, 'dedupe', 'device'))).toMatchObject([{ what: 'survey', names: ['dedupe'] }])
})

test('words are compared as words, and two long texts as a whole', () => {
  expect(compareWords('a b c', 'a x c').map(({ kind }) => kind)).toEqual(['same', 'gone', 'new', 'same'])
  expect(compareWords('', 'new')).toEqual([{ kind: 'new', text: 'new' }])
  expect(compareWords('a '.repeat(500), 'b '.repeat(500)).map(({ kind }) => kind)).toEqual(['gone', 'new'])
})
