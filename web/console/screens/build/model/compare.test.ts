import { expect, test } from 'vitest'
import { aDraft } from './draft.fixture.ts'
import { compare } from './compare.ts'
import { compareWords, sidesOf } from './wording.ts'
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
      place: 1,
      name: 'title',
      language: 'en',
      before: [{ kind: 'same', text: 'What mattered?' }],
      after: [
        { kind: 'same', text: 'What mattered ' },
        { kind: 'new', text: 'most' },
        { kind: 'same', text: '?' },
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

test('a changed sentence stands whole before and after, and its changed words are one run', () => {
  const marked = (before: string, after: string) => {
    const sides = sidesOf(compareWords(before, after))
    return [sides.before, sides.after].map((side) =>
      side.map(({ kind, text }) => (kind === 'same' ? text : `[${text}]`)).join(''),
    )
  }
  expect(marked('How did the parcel reach you today?', 'How did your order reach you?')).toEqual([
    'How did [the parcel] reach you [today]?',
    'How did [your order] reach you?',
  ])
  expect(marked('What was most important to you?', 'Tell us more about it, to help')).toEqual([
    '[What was most important to you?]',
    '[Tell us more about it, to help]',
  ])
  expect(marked('', 'New here')).toEqual(['', '[New here]'])
})

test('the words of a choice are words, not a setting', () => {
  const choices = [
    { id: 'price', label: { en: 'The price', de: 'Preis' } },
    { id: 'speed', label: { en: 'Speed' } },
  ]
  expect(compare(base, changeQuestion(base, 'why', { choices }))).toMatchObject([
    { kind: 'words', id: 'why', name: 'choices', language: 'en', after: [{ kind: 'new', text: 'The price' }] },
  ])
  const more = [...choices, { id: 'staff', label: { en: 'Staff' } }]
  expect(compare(base, changeQuestion(base, 'why', { choices: more })).map(({ kind }) => kind)).toEqual([
    'words',
    'added',
  ])
})

test('choices are named that came or went, and their order is a setting', () => {
  const [first, second] = [
    { id: 'price', label: { en: 'Price', de: 'Preis' } },
    { id: 'speed', label: { en: 'Speed' } },
  ]
  const staff = { id: 'staff', label: { en: 'Staff' } }
  const asked = changeQuestion(base, 'why', { choices: [first, second] })
  const more = changeQuestion(base, 'why', { choices: [first, staff, second] })
  expect(compare(asked, more)).toEqual([{ kind: 'added', what: 'choice', id: 'staff', title: 'Staff', place: 1 }])
  expect(compare(more, asked)).toEqual([{ kind: 'removed', what: 'choice', id: 'staff', title: 'Staff', place: 1 }])
  const turned = changeQuestion(base, 'why', { choices: [second, first] })
  expect(compare(asked, turned)).toMatchObject([{ kind: 'settings', names: ['choices'] }])
})

test('rules are read once each, and texts are compared word by word only as far as their sum allows', () => {
  let reads = 0
  const rule = (n: number, side: string) => ({
    get when() {
      reads += 1
      return { op: 'eq' as const, question: 'q1', value: `${side}${n}` }
    },
    then: [{ action: 'jump' as const, to: 'q2' }],
  })
  const rules = (side: string) => Array.from({ length: 200 }, (_, n) => rule(n, n < 100 ? 'both' : side))
  const text = (side: string) => `${Array.from({ length: 150 }, (_, n) => `w${n}`).join(' ')} ${side}`
  const questions = (side: string) =>
    Array.from({ length: 40 }, (_, n) => ({ id: `q${n}`, type: 'open_text' as const, title: text(side) }))
  const side = (name: string) => ({ ...aDraft(), logic: rules(name), questions: questions(name) })
  const changes = compare(side('a'), side('b'))
  expect(changes.filter(({ what, kind }) => what === 'rule' && kind === 'added')).toHaveLength(100)
  expect(changes.filter(({ what, kind }) => what === 'rule' && kind === 'removed')).toHaveLength(100)
  expect(reads).toBeLessThan(2_000)
  const words = changes.filter((change) => change.kind === 'words')
  const partsOf = ({ after }: (typeof words)[number]) => after.map(({ kind }) => kind)
  expect(words).toHaveLength(40)
  expect(words.slice(0, 20).map(partsOf)).toEqual(Array(20).fill(['same', 'new']))
  expect(words.slice(-15).map(partsOf)).toEqual(Array(15).fill(['new']))
})
