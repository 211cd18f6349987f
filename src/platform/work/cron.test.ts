import { expect, test } from 'vitest'
import { nextTime } from './cron.ts'

test.each([
  [
    'a skipped hour runs at the first moment after it',
    '30 2 * * *',
    '2026-03-29T00:00:00Z',
    '2026-03-29T01:00:00.000Z',
  ],
  ['the day after keeps its time', '30 2 * * *', '2026-03-29T01:00:00Z', '2026-03-30T00:30:00.000Z'],
  ['the first of a doubled hour', '30 2 * * *', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
  ['a doubled hour runs once', '30 2 * * *', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00.000Z'],
  ['a usual day runs at its time', '0 6 * * 1', '2026-03-02T10:00:00Z', '2026-03-09T05:00:00.000Z'],
  ['names, lists, ranges and steps', '*/20 8-9 1,15 JAN-mar mon', '2026-03-02T10:00:00Z', '2026-03-09T07:00:00.000Z'],
])('%s', (_says, cron, after, next) => {
  expect(nextTime({ cron, timezone: 'Europe/Berlin' }, new Date(after))?.toISOString()).toBe(next)
})

test('a day that no month has never comes', () => {
  expect(nextTime({ cron: '0 0 30 2 *', timezone: 'UTC' }, new Date(0))).toBeNull()
})

const days = Array.from({ length: 24 }, (_, at) => `${at + 3}W`).join()
test.each([
  'often',
  '0 0 8 * * 1',
  '@daily',
  '* * 15W * +0,6',
  `* * ${days} * +0,6`,
  '* * L * *',
  '0 0 8-31 * +MON#1',
  '0 0 ? * 1#2',
  '61 * * * *',
  '* * * * mondays',
  `${'1,'.repeat(200)}1 * * * *`,
])('%s is no expression, and nothing is searched', (cron) => {
  expect(nextTime({ cron, timezone: 'UTC' }, new Date(0))).toBeUndefined()
})
