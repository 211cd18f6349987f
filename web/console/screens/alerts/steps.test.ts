import { expect, test } from 'vitest'
import { ALERT_STATUSES, mayStep } from '../../../../src/features/programme/alerts/alert-steps.ts'
import { alertsLede, COLUMN_NAMES, lastMove, stepsFrom, stepTo } from './steps.ts'

test('the board allows the steps that the API allows', () => {
  for (const from of ALERT_STATUSES)
    expect(stepsFrom(from).toSorted(), from).toEqual(ALERT_STATUSES.filter((to) => mayStep(from, to)).toSorted())
})

test('a column takes only what may come to it', () => {
  const taking = (from: (typeof ALERT_STATUSES)[number]) => COLUMN_NAMES.filter((column) => stepTo(column, from))
  expect(taking('new')).toEqual(['acknowledged', 'in_progress', 'resolved'])
  expect(taking('in_progress')).toEqual(['resolved'])
  expect(taking('resolved')).toEqual(['new'])
  expect(stepTo('new', 'resolved')).toBe('reopened')
})

test.each([
  [0, 0, 'lede.none'],
  [14, 0, 'lede.open'],
  [14, 3, 'lede.overdue'],
])('%i open and %i overdue alerts are said by %s', (open, overdue, key) => {
  const counts = { new: open, acknowledged: 0, in_progress: 0, resolved: 7, closed: 2, reopened: 0 }
  expect(alertsLede(counts, overdue, false)).toEqual({ key, open, overdue })
  expect(alertsLede(counts, overdue, true)).toEqual({ key: 'lede.listed', open, overdue })
})

test('the last move is neither a comment nor a priority', () => {
  const entry = { at: '2026-01-01T00:00:00.000Z', actor: 'usr_1', from: null, to: null, text: null }
  const story = ['opened', 'owner_id', 'status', 'comment', 'priority'].map((kind) => ({ ...entry, kind }))
  expect(lastMove(story)?.kind).toBe('status')
  expect(lastMove(story.slice(0, 1))).toBe(undefined)
})
