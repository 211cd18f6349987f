import { DateTime, IANAZone } from 'luxon'
import { expect, test, vi } from 'vitest'
import { workingFrom } from './business-hours.ts'

const OFFICE = { weekdays: [1, 2, 3, 4, 5], start: '09:00', end: '17:00', holidays: ['2026-04-06'] }
const due = (from: string, minutes: number, zone = 'Europe/Berlin', hours: typeof OFFICE | null = OFFICE) =>
  workingFrom(new Date(from), hours, zone)(minutes).toISOString()

test('without business hours every minute counts', () => {
  expect(due('2026-03-01T03:00:00Z', 90, 'UTC', null)).toBe('2026-03-01T04:30:00.000Z')
})

test('the time of a day that is not worked is skipped', () => {
  // Monday at 10:00 in Berlin.
  expect(due('2026-03-02T09:00:00Z', 60)).toBe('2026-03-02T10:00:00.000Z')
  // Friday at 16:30: half an hour is left, and Monday begins at 09:00.
  expect(due('2026-03-06T15:30:00Z', 60)).toBe('2026-03-09T08:30:00.000Z')
  // A Saturday.
  expect(due('2026-03-07T12:00:00Z', 30)).toBe('2026-03-09T08:30:00.000Z')
  // Before the office opens, and after it has closed.
  expect(due('2026-03-03T03:00:00Z', 10)).toBe('2026-03-03T08:10:00.000Z')
  expect(due('2026-03-03T20:00:00Z', 10)).toBe('2026-03-04T08:10:00.000Z')
})

test('hours follow the clock of the zone across a change of daylight saving', () => {
  // Berlin goes from +1 to +2 on Sunday, 29 March. Friday 16:00 plus two hours is Monday 10:00 in summer time.
  expect(due('2026-03-27T15:00:00Z', 120)).toBe('2026-03-30T08:00:00.000Z')
  // New York goes back on Sunday, 1 November 2026.
  expect(due('2026-10-30T20:00:00Z', 120, 'America/New_York')).toBe('2026-11-02T15:00:00.000Z')
  // A night shift over the hour that is skipped has an hour less.
  const nights = { weekdays: [7], start: '00:00', end: '06:00', holidays: [] }
  expect(due('2026-03-28T22:00:00Z', 300, 'Europe/Berlin', nights)).toBe('2026-03-29T04:00:00.000Z')
})

test('a holiday is no day of work', () => {
  // Easter Monday, 6 April 2026.
  expect(due('2026-04-03T14:30:00Z', 60)).toBe('2026-04-07T07:30:00.000Z')
})

test('work that ends with the day is due at its end', () => {
  expect(due('2026-03-02T15:00:00Z', 60)).toBe('2026-03-02T16:00:00.000Z')
})

test('years of half an hour a week ask for the clock of single days only where it changes', () => {
  const asked = vi.spyOn(DateTime, 'fromObject')
  const weekly = { weekdays: [1], start: '09:00', end: '09:30', holidays: [] }
  // 500 weeks, and a summer and a winter of each year between.
  expect(due('2026-03-02T07:00:00Z', 500 * 30, 'Europe/Berlin', weekly)).toBe('2035-09-24T07:30:00.000Z')
  expect(asked.mock.calls.length).toBeLessThan(100)
  asked.mockRestore()
})

test('two hundred times that are never reached cost no more than one', () => {
  const never = { weekdays: [1, 2, 3, 4, 5, 6, 7], start: '02:00', end: '02:02', holidays: [] }
  const from = new Date('2026-11-28T12:00:00Z')
  const asked = vi.spyOn(IANAZone.prototype, 'offset')
  const after = workingFrom(from, never, 'Australia/Lord_Howe')
  after(525_600)
  const once = asked.mock.calls.length
  expect(once).toBeLessThan(3_000)
  for (let minutes = 525_400; minutes < 525_600; minutes++)
    expect(after(minutes)).toEqual(new Date(from.getTime() + minutes * 60_000))
  expect(asked.mock.calls).toHaveLength(once)
  asked.mockRestore()
})
