import { expect, test } from 'vitest'
import { isMoving, secondsLeft, toneOf, type Run } from './runs.ts'

const run = (status: Run['status'], rows: number): Run =>
  ({
    status,
    progress: { rows, parts: 0, total_rows: 1_000 },
    phase_started_at: '2026-03-02T10:00:00.000Z',
  }) as Run
const at = (seconds: number) => Date.parse('2026-03-02T10:00:00.000Z') + seconds * 1000

test('the time left follows from the rate so far, and is not guessed before there is one', () => {
  expect(secondsLeft(run('building', 250), at(10))).toBe(30)
  expect(secondsLeft(run('building', 1_000), at(10))).toBe(1)
  expect(secondsLeft(run('building', 0), at(10))).toBeNull()
  expect(secondsLeft(run('building', 500), at(1))).toBeNull()
  expect(secondsLeft(run('queued', 500), at(10))).toBeNull()
})

test('only a run on its way moves, and only a failed one is bad', () => {
  expect([run('building', 1), run('cleaning', 1), run('completed', 1)].map(isMoving)).toEqual([true, true, false])
  expect([toneOf('completed'), toneOf('failed'), toneOf('cleaned'), toneOf('queued')]).toEqual([
    'ok',
    'bad',
    'plain',
    'running',
  ])
})
