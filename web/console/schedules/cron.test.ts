import { expect, test } from 'vitest'
import { cronOf, timesOf } from './cron.ts'

test.each([
  ['0 8 * * 1', { every: 'week', at: '08:00', weekday: 1 }],
  ['30 17 * * 7', { every: 'week', at: '17:30', weekday: 0 }],
  ['5 6 * * *', { every: 'day', at: '06:05' }],
  ['0 9 31 * *', { every: 'month', at: '09:00', day: 31 }],
])('%s is chosen as %o', (cron, times) => {
  expect(timesOf(cron)).toMatchObject(times)
  expect(timesOf(cronOf(timesOf(cron)))).toMatchObject(times)
})

test.each(['*/5 * * * *', '0 8 1 * 1', '0 8 * 1 *', '0 8,12 * * *', '75 8 * * *', '0 24 * * *', ''])(
  '%s stays an expression',
  (cron) => {
    expect(timesOf(cron)).toMatchObject({ every: 'other', cron })
    expect(cronOf(timesOf(cron))).toBe(cron)
  },
)
