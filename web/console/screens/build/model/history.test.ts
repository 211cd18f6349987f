import { expect, test } from 'vitest'
import { emptyHistory, redo, remember, undo, type History } from './history.ts'

test('a hundred steps can be taken back, and no more', () => {
  let history: History<number> = emptyHistory()
  for (let at = 0; at < 150; at++) history = remember(history, at, null, 0)
  let present = 150
  let steps = 0
  for (let back = undo(history, present); back; back = undo(history, present)) {
    ;[history, present] = back
    steps++
  }
  expect([steps, present]).toEqual([100, 50])
  for (let again = redo(history, present); again; again = redo(history, present)) [history, present] = again
  expect(present).toBe(150)
})

test('letters typed one after the other are one step, and a pause or another field begins the next', () => {
  let history: History<string> = emptyHistory()
  const type = (before: string, key: string, at: number) => void (history = remember(history, before, key, at))
  type('', 'q1.title', 0)
  type('W', 'q1.title', 200)
  type('Wh', 'q1.title', 400)
  expect(history.past).toEqual([''])
  type('Why', 'q1.title', 5_000)
  expect(history.past).toEqual(['', 'Why'])
  type('Why?', 'q2.title', 5_100)
  expect(history.past).toEqual(['', 'Why', 'Why?'])
})

test('an edit after an undo forgets the way forward', () => {
  const [history, present] = undo(remember(emptyHistory<number>(), 1, null, 0), 2) ?? []
  expect(present).toBe(1)
  expect(history && redo(remember(history, 1, null, 0), 3)).toBeNull()
})
